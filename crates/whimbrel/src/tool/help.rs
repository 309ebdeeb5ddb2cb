//! What `--help` says: the list of tools, and the page of one with an example that was run.

use super::{Field, TOOLS, Tool};

/// All tools, one line each.
pub fn list() -> String {
    let mut out = String::from(
        "Format handlers for scripts: JSON lines in, JSON lines out\n\n\
         Usage: whimbrel tool NAME < requests.jsonl > replies.jsonl\n\n\
         One JSON object per line on standard input, one per line on standard output, with the same id,\n\
         in order. A text that is not UTF-8 is given in base64 as FIELD_b64. A line that is not understood\n\
         is answered by {\"id\":…,\"error\":\"…\"}, and the exit code is then 1.\n\nNames:\n",
    );
    for tool in TOOLS {
        out.push_str(&format!("  {:<19} {}\n", tool.name, tool.summary));
    }
    out.push_str("\n`whimbrel tool NAME --help` shows the fields of one of them, and an example.\n");
    out
}

/// The page of one tool.
pub fn manual(tool: &Tool) -> String {
    let mut out = format!(
        "{}\n\nUsage: whimbrel tool {} < requests.jsonl > replies.jsonl\n\n",
        tool.summary, tool.name
    );
    out.push_str("Fields of a request, besides id:\n");
    fields(&mut out, tool.input);
    out.push_str("\nFields of a reply, besides id:\n");
    fields(&mut out, tool.output);
    out.push_str(&format!("\nExample:\n  {}\nReply:\n  {}\n", tool.example, tool.example_reply));
    out
}

fn fields(out: &mut String, fields: &[Field]) {
    for (name, meaning) in fields {
        out.push_str(&format!("  {name:<19} {meaning}\n"));
    }
}
