//! Extractors for bodies and query strings. What they reject, they reject with a sentence that says
//! why.

use std::borrow::Cow;
use std::fmt::Display;
use std::num::{IntErrorKind, ParseIntError};
use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{DefaultBodyLimit, FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum_extra::headers::{ContentLength, HeaderMapExt};
use noughts_rules::{AnyGameState, Variant};
use noughts_wire::PositionRequest;
use percent_encoding::percent_decode_str;
use serde::de::value::{Error as ValueError, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error, IntoDeserializer, Visitor};
use tokio::time::timeout;

use crate::app::App;
use crate::error::{ApiError, ApiErrorKind};

/// The most moves in one request: more than any game has.
const MAX_MOVES: usize = 10_000;

/// A JSON body; `LARGE` if it may contain a position, as those of deep boards are long.
pub(crate) struct JsonBody<T, const LARGE: bool = false>(pub(crate) T);

pub(crate) type LargeJsonBody<T> = JsonBody<T, true>;

impl<T: DeserializeOwned, const LARGE: bool> FromRequest<App> for JsonBody<T, LARGE> {
    type Rejection = ApiError;

    async fn from_request(mut request: Request, app: &App) -> Result<JsonBody<T, LARGE>, ApiError> {
        let limits = &app.config.limits;
        let max_bytes = match LARGE {
            true => limits.position_bytes,
            false => limits.body_bytes,
        };
        let too_large = || {
            let message =
                format!("the request body is too large; up to {max_bytes} bytes are allowed");
            ApiErrorKind::TooLarge.error(message)
        };
        let kind = request.headers().get(CONTENT_TYPE);
        // A form on another site can't send this content type.
        let is_json = kind.is_some_and(|kind| kind.to_str().is_ok_and(is_json));
        let message =
            "the request body must be JSON, sent with a `Content-Type: application/json` header";
        ApiErrorKind::WrongType.require(is_json, message)?;
        // A body that is too long by its own Content-Length isn't read at all.
        let length = request.headers().typed_get::<ContentLength>();
        if length.is_some_and(|length| length.0 > max_bytes as u64) {
            return Err(too_large());
        }
        DefaultBodyLimit::max(max_bytes).apply(&mut request);
        let time_limit = limits.body_timeout;
        let body = timeout(time_limit, Bytes::from_request(request, app));
        let body = body.await.map_err(|_| {
            let seconds = time_limit.as_secs();
            let message =
                format!("the request body didn't arrive within {seconds} seconds; send it again");
            ApiErrorKind::TooSlow.error(message)
        })?;
        let body = body.map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                too_large()
            }
            _ => ApiErrorKind::BadRequest
                .error("the request body was truncated or malformed; send it again"),
        })?;
        let value = serde_json::from_slice(&body).map_err(|error| {
            ApiErrorKind::BadRequest.error(format!("the request body is invalid: {error}"))
        });
        value.map(JsonBody)
    }
}

/// The media type is JSON, and the charset is UTF-8 if there is one.
fn is_json(kind: &str) -> bool {
    kind.parse().is_ok_and(|kind: mime::Mime| {
        let charset = kind.get_param(mime::CHARSET);
        kind.essence_str() == mime::APPLICATION_JSON
            && charset.is_none_or(|charset| charset == mime::UTF_8)
            && kind.params().all(|(name, _)| name == mime::CHARSET)
    })
}

/// The parameters in a query string.
pub(crate) struct QueryParams<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<QueryParams<T>, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        let is_utf8 = percent_decode_str(query).decode_utf8().is_ok();
        let message = "the URL's parameters aren't valid UTF-8; percent-encode them as UTF-8";
        ApiErrorKind::BadRequest.require(is_utf8, message)?;
        let params = form_urlencoded::parse(query.as_bytes()).map(|(name, value)| {
            let param = Param {
                name: name.clone(),
                value,
            };
            (name, param)
        });
        let params = T::deserialize(MapDeserializer::new(params));
        params.map(QueryParams).map_err(|error| {
            ApiErrorKind::BadRequest.error(format!("the URL's parameters are invalid: {error}"))
        })
    }
}

/// A query parameter, whose text is parsed as the type that is expected.
struct Param<'a> {
    name: Cow<'a, str>,
    value: Cow<'a, str>,
}

impl Param<'_> {
    fn number<T: FromStr<Err = ParseIntError>>(&self) -> Result<T, ValueError> {
        let name = &self.name;
        self.value.parse().map_err(|error: ParseIntError| {
            ValueError::custom(match error.kind() {
                IntErrorKind::PosOverflow => format!("{name} is too large; use a smaller number"),
                IntErrorKind::NegOverflow => format!("{name} is too small; use a larger number"),
                // Only unsigned types reject a number without an overflow.
                _ if self.value.parse::<i128>().is_ok() => format!("{name} can't be negative"),
                _ => format!("{name} must be a whole number"),
            })
        })
    }
}

impl<'de> IntoDeserializer<'de> for Param<'de> {
    type Deserializer = Param<'de>;

    fn into_deserializer(self) -> Param<'de> {
        self
    }
}

macro_rules! number {
    ($deserialize:ident $visit:ident) => {
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
            visitor.$visit(self.number()?)
        }
    };
}

impl<'de> Deserializer<'de> for Param<'de> {
    type Error = ValueError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_str(&self.value)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        visitor.visit_some(self)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ValueError> {
        let value = self
            .value
            .parse()
            .map_err(|_| ValueError::custom(format!("{} must be `true` or `false`", self.name)));
        visitor.visit_bool(value?)
    }

    number! { deserialize_u8 visit_u8 }
    number! { deserialize_u32 visit_u32 }
    number! { deserialize_u64 visit_u64 }
    number! { deserialize_i64 visit_i64 }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        visitor.visit_enum(IntoDeserializer::<ValueError>::into_deserializer(
            self.value,
        ))
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The game at a position. Parsing and replaying a deep board takes too long for an async task.
pub(crate) async fn read_position(request: PositionRequest) -> Result<AnyGameState, ApiError> {
    // The text of a deep board has half a million cells.
    let read = tokio::task::spawn_blocking(move || replay(&request)).await;
    let panicked = "parsing the position panicked";
    read.unwrap_or_else(|_| Err(ApiErrorKind::Internal.error(panicked)))
}

fn replay(request: &PositionRequest) -> Result<AnyGameState, ApiError> {
    let moves = request.moves.as_deref().unwrap_or_default();
    if moves.len() > MAX_MOVES {
        let message = format!("too many moves; up to {MAX_MOVES} are allowed");
        return Err(ApiErrorKind::BadRequest.error(message));
    }
    let invalid = |message| ApiErrorKind::Invalid.error(message);
    let variant: Variant = request.variant.parse()?;
    let mut state = match &request.position {
        None => AnyGameState::new(variant),
        Some(text) => AnyGameState::from_text(variant, text)
            .map_err(|error| invalid(format!("invalid position: {error}")))?,
    };
    for (ply, mv) in moves.iter().enumerate() {
        state
            .play(mv)
            .map_err(|error| invalid(format!("move {number}: {error}", number = ply + 1)))?;
    }
    Ok(state)
}

/// Checks the value of a parameter or field.
pub(crate) fn check_range<T: PartialOrd + Display>(
    name: &str,
    value: T,
    range: RangeInclusive<T>,
) -> Result<T, ApiError> {
    if range.contains(&value) {
        return Ok(value);
    }
    let (from, to) = range.into_inner();
    let message = format!("{name} is {value}, but must be from {from} to {to}");
    Err(ApiErrorKind::BadRequest.error(message))
}
