//! A request line and its fields. Every text field may come as `NAME` or, where it is not UTF-8, in base64 as
//! `NAME_b64`. A field that is missing or of the wrong type is the request's fault and is named.

use data_encoding::BASE64_NOPAD;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::cell::RefCell;

/// The fields of one request.
#[derive(Debug)]
pub struct Request {
    fields: Map<String, Value>,
}

impl Request {
    /// Reads a line: its `id` as far as one can be read, and the request or what is wrong with the line.
    pub fn read(line: &[u8]) -> (Value, Result<Request, String>) {
        match serde_json::from_slice::<Value>(line) {
            Ok(Value::Object(fields)) => {
                (fields.get("id").cloned().unwrap_or_default(), Ok(Request { fields }))
            }
            Ok(_) => (Value::Null, Err("a request is a JSON object on one line".to_owned())),
            Err(error) => (id_before_fault(line), Err(format!("the line is no JSON object: {error}"))),
        }
    }

    /// A text that must be there. What came in base64 and is not UTF-8 has U+FFFD in place of what is not.
    pub fn text(&self, name: &str) -> Result<Cow<'_, str>, String> {
        self.optional_text(name)?.ok_or_else(|| missing(name))
    }

    /// A text that may be left out or null.
    pub fn optional_text(&self, name: &str) -> Result<Option<Cow<'_, str>>, String> {
        if let Some(bytes) = self.encoded(name)? {
            return Ok(Some(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())));
        }
        Ok(self.plain_text(name)?.map(Cow::Borrowed))
    }

    /// A text that may be left out or null and has no reason to come in base64.
    pub fn plain_text(&self, name: &str) -> Result<Option<&str>, String> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("the field {name} must be a string")),
        }
    }

    /// Bytes that must be there: a text's UTF-8, or what came in base64.
    pub fn bytes(&self, name: &str) -> Result<Cow<'_, [u8]>, String> {
        if let Some(bytes) = self.encoded(name)? {
            return Ok(Cow::Owned(bytes));
        }
        match self.text(name)? {
            Cow::Borrowed(text) => Ok(Cow::Borrowed(text.as_bytes())),
            Cow::Owned(text) => Ok(Cow::Owned(text.into_bytes())),
        }
    }

    /// Whether there is a text of this name, plain or in base64.
    pub fn has(&self, name: &str) -> bool {
        self.fields.get(name).is_some_and(Value::is_string) || self.is_encoded(name)
    }

    /// Whether the field came in base64, so that its bytes are those of the wire.
    pub fn is_encoded(&self, name: &str) -> bool {
        self.fields.get(&format!("{name}_b64")).is_some_and(Value::is_string)
    }

    /// Yes or no; no when it is left out.
    pub fn flag(&self, name: &str) -> Result<bool, String> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(format!("the field {name} must be true or false")),
        }
    }

    /// A whole number that may be left out.
    pub fn optional_number(&self, name: &str) -> Result<Option<u64>, String> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                value.as_u64().map(Some).ok_or_else(|| format!("the field {name} must be a whole number"))
            }
        }
    }

    /// HTTP header fields: a list of `[name, value]`, or an object; none when left out.
    pub fn headers(&self, name: &str) -> Result<Vec<(String, String)>, String> {
        let Some(value) = self.fields.get(name).filter(|value| !value.is_null()) else {
            return Ok(Vec::new());
        };
        headers_of(value).ok_or_else(|| {
            format!("the field {name} must be a list of [name, value] pairs or an object of strings")
        })
    }

    /// An object that must be there.
    pub fn object(&self, name: &str) -> Result<&Map<String, Value>, String> {
        match self.fields.get(name) {
            Some(Value::Object(object)) => Ok(object),
            None | Some(Value::Null) => Err(missing(name)),
            Some(_) => Err(format!("the field {name} must be an object")),
        }
    }

    /// The same reading for an object inside a request.
    pub fn inner(fields: &Map<String, Value>) -> Request {
        Request { fields: fields.clone() }
    }

    fn encoded(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let name = format!("{name}_b64");
        match self.fields.get(&name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => decode_base64(text)
                .map(Some)
                .ok_or_else(|| format!("the field {name} is not standard base64")),
            Some(_) => Err(format!("the field {name} must be a string in base64")),
        }
    }
}

/// Standard base64, with or without padding; line ends in it do not matter.
pub fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let plain = text.trim_end_matches(['=', '\r', '\n', ' ']);
    if plain.bytes().any(|byte| byte.is_ascii_whitespace()) {
        let joined: String = plain.split_ascii_whitespace().collect();
        return BASE64_NOPAD.decode(joined.as_bytes()).ok();
    }
    BASE64_NOPAD.decode(plain.as_bytes()).ok()
}

fn missing(name: &str) -> String {
    format!("the field {name} is missing")
}

fn headers_of(value: &Value) -> Option<Vec<(String, String)>> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match value {
        Value::Array(pairs) => pairs
            .iter()
            .map(|pair| match pair.as_array()?.as_slice() {
                [name, value] => Some((text(name)?, text(value)?)),
                _ => None,
            })
            .collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| Some((name.clone(), text(value)?))).collect()
        }
        _ => None,
    }
}

/// The `id` of a line that breaks off or goes wrong behind it; null when it has none before the fault.
fn id_before_fault(line: &[u8]) -> Value {
    let found = RefCell::new(Value::Null);
    let mut reader = serde_json::Deserializer::from_slice(line);
    // The fault itself is known already.
    let _ = reader.deserialize_map(IdSeeker { found: &found });
    found.into_inner()
}

struct IdSeeker<'a> {
    found: &'a RefCell<Value>,
}

impl<'de> Visitor<'de> for IdSeeker<'_> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<Cow<'de, str>>()? {
            if name == "id" {
                self.found.replace(map.next_value::<Value>()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}
