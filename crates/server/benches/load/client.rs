//! A minimal client: requests, sockets, and just enough parsing of what they return.

use std::net::SocketAddr;

use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// Where the server listens, and what its sockets should send.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    /// Ask for the parts of the page, as browsers do.
    pub(crate) html: bool,
}

pub(crate) type Socket = WebSocketStream<TcpStream>;

#[derive(Clone)]
pub(crate) struct Token(String);

impl Token {
    pub(crate) async fn new(target: Target) -> Token {
        let response = send(target, "/api/v1/token", "", "{}").await;
        Token(field(&response, "token").expect("a token").to_owned())
    }

    fn header(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.0)
    }
}

/// Posts JSON and returns the response body.
pub(crate) async fn post(target: Target, path: &str, token: &Token, body: &str) -> String {
    send(target, path, &token.header(), body).await
}

async fn send(target: Target, path: &str, header: &str, body: &str) -> String {
    let header = format!(
        "{header}Content-Type: application/json\r\nContent-Length: {}\r\n",
        body.len()
    );
    let response = exchange(target, &format!("POST {path}"), &header, body).await;
    let (status, response) = response.expect("an answer");
    assert!((200..300).contains(&status), "{path}: {status} {response}");
    response
}

/// Sends a GET request and returns status and body; `None` if the connection broke.
pub(crate) async fn get(target: Target, path: &str) -> Option<(u16, String)> {
    exchange(target, &format!("GET {path}"), "", "").await
}

async fn exchange(
    Target { address, .. }: Target,
    request: &str,
    header: &str,
    body: &str,
) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request =
        format!("{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{header}\r\n{body}");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.ok()?;
    let response = String::from_utf8_lossy(&response);
    let (head, body) = response.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

/// Opens a socket to a game, as a player or as a spectator.
pub(crate) async fn watch(
    Target { address, html }: Target,
    uid: &str,
    token: Option<&Token>,
) -> Socket {
    let html = u8::from(html);
    let url = format!("ws://{address}/api/v1/games/{uid}/socket?html={html}");
    let mut request = url.into_client_request().expect("a request");
    if let Some(token) = token {
        let bearer = HeaderValue::from_str(&format!("Bearer {}", token.0)).expect("a header");
        request.headers_mut().insert("authorization", bearer);
    }
    let stream = TcpStream::connect(address).await.expect("connected");
    let _ = stream.set_nodelay(true);
    let config = WebSocketConfig::default()
        .read_buffer_size(4 << 10)
        .write_buffer_size(0);
    let opened = client_async_with_config(request, stream, Some(config)).await;
    opened.expect("a socket").0
}

/// The next message of a game; `None` once the socket is closed.
pub(crate) async fn next(socket: &mut Socket) -> Option<String> {
    loop {
        match socket.next().await? {
            Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
            Ok(Message::Close(_)) | Err(_) => return None,
            Ok(_) => {}
        }
    }
}

/// The string value of the first field with this name, without parsing the rest.
pub(crate) fn field<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let start = format!("\"{name}\":\"");
    let after = &json[json.find(&start)? + start.len()..];
    Some(&after[..after.find('"')?])
}

/// The revision of a message: number of moves, and number of other changes. `None` if it hasn't
/// changed since the message before.
pub(crate) fn rev(json: &str) -> Option<(u64, u64)> {
    let (moves, changes) = field(json, "rev")?.split_once('.')?;
    Some((moves.parse().ok()?, changes.parse().ok()?))
}

pub(crate) fn is_over(json: &str) -> bool {
    json.contains("\"ending\":\"")
}

pub(crate) fn legal_moves(json: &str) -> Vec<&str> {
    let start = json.find("\"choices\":").unwrap_or(json.len());
    let moves = json[start..].split("\"move\":\"").skip(1);
    moves.filter_map(|text| text.split('"').next()).collect()
}
