//! The papers' worked examples that this crate owns. Fields named `printed…` are the papers' slips, not judged.

use crate::duplicate::digest::{self, DigestKind};
use crate::link_attributes::{distance, position, visibility};
use serde_json::Value;
use whimbrel_types::CanonicalUrl;

const OWNED: &[&str] = &["link_position", "link_visibility", "link_distance", "digest"];
const VECTORS: &str = include_str!("../../whimbrel-types/fixtures/seed_vectors.json");

#[test]
fn every_owned_seed_vector_holds() {
    let file: Value = serde_json::from_str(VECTORS).expect("the fixture is JSON");
    let vectors = file["vectors"].as_array().expect("the fixture has vectors");
    let mut run = vec![0; OWNED.len()];
    for vector in vectors {
        let name = vector["fn"].as_str().expect("a vector names its function");
        let Some(owned) = OWNED.iter().position(|fun| *fun == name) else { continue };
        let actual = answer(name, vector);
        let expected = vector["expected"].as_object().expect("a vector has expected fields");
        for (field, value) in expected.iter().filter(|(field, _)| !field.starts_with("printed")) {
            assert_eq!(&actual[field], value, "{} {field}", vector["id"]);
        }
        run[owned] += 1;
    }
    assert!(run.iter().all(|count| *count > 0), "a function without vectors: {run:?}");
}

fn answer(name: &str, vector: &Value) -> Value {
    let input = &vector["input"];
    let number =
        |field: &str| u32::try_from(input[field].as_u64().expect("a number")).expect("a small number");
    let url =
        |field: &str| whimbrel_url::normalize(input[field].as_str().expect("a URL")).expect("a good URL");
    match name {
        "link_position" => {
            serde_json::json!({ "position": position(number("first_word_offset"), number("page_words")) })
        }
        "link_visibility" => {
            let is = |field: &str| input[field].as_bool().expect("a boolean");
            serde_json::json!({ "visibility": visibility(is("bold"), is("italic")) })
        }
        "link_distance" => {
            let (source, target): (CanonicalUrl, CanonicalUrl) = (url("source"), url("target"));
            serde_json::json!({ "distance": distance(&source, &target) })
        }
        _ => {
            let kind = vector["id"]
                .as_str()
                .and_then(|id| id.strip_prefix("digest."))
                .and_then(DigestKind::from_name);
            let bytes = input["bytes_utf8"].as_str().expect("text").as_bytes();
            serde_json::json!({ "hex": digest::hex(kind.expect("a digest we have"), bytes) })
        }
    }
}
