//! Tokens → tree, by recursive descent with a bounded depth. An operator without its operands becomes a word.

use super::lexer::{Token, tokens};
use super::node::{Node, ParsedQuery};

/// Parentheses inside parentheses that are followed.
const DEPTH_MAX: usize = 20;

/// Parses any text.
pub(crate) fn parse(query: &str) -> ParsedQuery {
    let (tokens, notes) = tokens(query);
    let has_operators = has_operators(&tokens);
    let mut parser = Parser { tokens, at: 0, notes };
    let mut parts = parser.sequence(0);
    while parser.peek().is_some() {
        // Only a closing parenthesis ends a sequence early.
        parser.at += 1;
        parser.note("a closing parenthesis has no opening one");
        parts.extend(parser.sequence(0));
    }
    let parts = parts.into_iter().flat_map(|part| settle(part, has_operators)).collect();
    ParsedQuery { parts, has_operators, notes: parser.notes }
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    notes: Vec<String>,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn take(&mut self, wanted: &Token) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn note(&mut self, text: &str) {
        if !self.notes.iter().any(|note| note == text) {
            self.notes.push(text.to_owned());
        }
    }

    fn sequence(&mut self, depth: usize) -> Vec<Node> {
        let mut parts = Vec::new();
        while !matches!(self.peek(), None | Some(Token::Close)) {
            parts.extend(self.binary(depth, 0));
        }
        parts
    }

    /// Operators from loosest (0) to tightest (2).
    fn binary(&mut self, depth: usize, level: usize) -> Option<Node> {
        let (operator, join): (Token, fn(Vec<Node>) -> Node) = match level {
            0 => (Token::Or, Node::Any),
            1 => (Token::Xor, Node::OddlyMany),
            2 => (Token::And, Node::All),
            _ => return self.unary(depth),
        };
        let first = self.binary(depth, level + 1);
        let mut operands: Vec<Node> = first.into_iter().collect();
        while self.peek() == Some(&operator) && self.operand_follows() && !operands.is_empty() {
            self.at += 1;
            operands.extend(self.binary(depth, level + 1));
        }
        if operands.len() > 1 { Some(join(operands)) } else { operands.pop() }
    }

    fn operand_follows(&self) -> bool {
        matches!(
            self.tokens.get(self.at + 1),
            Some(Token::Unit(_) | Token::Open | Token::Not | Token::Minus | Token::Plus)
        )
    }

    fn unary(&mut self, depth: usize) -> Option<Node> {
        let mut negated = false;
        let mut forced = false;
        loop {
            match self.peek() {
                Some(Token::Minus) => negated = !negated,
                Some(Token::Not) if self.operand_follows() => negated = !negated,
                Some(Token::Plus) => forced = true,
                _ => break,
            }
            self.at += 1;
        }
        let node = self.primary(depth)?;
        Some(match node {
            node if negated => Node::Not(Box::new(node)),
            Node::Word(word) if forced => Node::MustWord(word),
            node => node,
        })
    }

    fn primary(&mut self, depth: usize) -> Option<Node> {
        let token = self.peek()?.clone();
        match token {
            Token::Close => return None,
            Token::Open if depth >= DEPTH_MAX => {
                self.at += 1;
                self.note("parentheses are nested too deeply; the inner ones were passed over");
                return None;
            }
            _ => self.at += 1,
        }
        match token {
            Token::Unit(node) => Some(node),
            Token::Open => {
                let parts = self.sequence(depth + 1);
                if !self.take(&Token::Close) {
                    self.note("a parenthesis is not closed");
                }
                (!parts.is_empty()).then_some(Node::Sequence(parts))
            }
            operator => {
                let word = operator_word(&operator)?;
                self.note(&format!("{word} stands without words beside it and was searched as a word"));
                Some(Node::Word(word.to_owned()))
            }
        }
    }
}

fn operator_word(token: &Token) -> Option<&'static str> {
    Some(match token {
        Token::And => "AND",
        Token::Or => "OR",
        Token::Xor => "XOR",
        Token::Not => "NOT",
        _ => return None,
    })
}

/// Whether an operator stands between two operands.
fn has_operators(tokens: &[Token]) -> bool {
    let is_end = |token: &Token| matches!(token, Token::Unit(_) | Token::Close);
    let is_start = |token: &Token| !matches!(token, Token::And | Token::Or | Token::Xor | Token::Close);
    tokens.windows(3).any(|window| {
        is_end(&window[0]) && matches!(window[1], Token::And | Token::Or | Token::Xor) && is_start(&window[2])
    })
}

/// Dissolves sequences: into their parts without operators, into AND with them.
fn settle(node: Node, has_operators: bool) -> Vec<Node> {
    let settle_all =
        |parts: Vec<Node>| parts.into_iter().flat_map(|part| settle(part, has_operators)).collect();
    vec![match node {
        Node::Sequence(parts) => {
            let parts: Vec<Node> = settle_all(parts);
            if !has_operators || parts.len() == 1 {
                return parts;
            }
            Node::All(parts)
        }
        Node::All(parts) => Node::All(settle_all(parts)),
        Node::Any(parts) => Node::Any(settle_all(parts)),
        Node::OddlyMany(parts) => Node::OddlyMany(settle_all(parts)),
        Node::Not(inner) => {
            let mut parts = settle(*inner, has_operators);
            // Without operators, `-(a b)` keeps out pages with either word.
            let inner = if parts.len() == 1 { parts.remove(0) } else { Node::Any(parts) };
            Node::Not(Box::new(inner))
        }
        leaf => leaf,
    }]
}
