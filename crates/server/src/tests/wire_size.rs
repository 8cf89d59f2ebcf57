//! How many bytes a move costs on the wire, for a browser that plays it.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use yawc::{Frame, OpCode, Options, WebSocket};

use super::test_server::*;

/// A connection that counts the bytes it receives.
struct CountingStream {
    stream: TcpStream,
    received: Arc<AtomicUsize>,
}

impl AsyncRead for CountingStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        let count = buffer.filled().len() - before;
        self.received.fetch_add(count, Ordering::Relaxed);
        read
    }
}

impl AsyncWrite for CountingStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Plays a game against itself, each move the one in the middle of the list. Returns the bytes until
/// the first message was complete and the most bytes of any later one.
async fn play(variant: &str, moves: usize) -> (usize, usize) {
    let server = TestServer::new().await;
    let me = server.client(1);
    let created = me
        .create_game(variant, human_seat("Ada"), human_seat("Bob"))
        .await;
    let address = listen(&server).await;
    let received = Arc::new(AtomicUsize::new(0));
    let io = CountingStream {
        stream: TcpStream::connect(address).await.unwrap(),
        received: received.clone(),
    };
    let path = format!("/games/{}/socket?html=1", game_id(&created));
    let request =
        axum::http::Request::builder().header("authorization", format!("Bearer {}", me.token));
    let url = format!("ws://{address}/api/v1{path}").parse().unwrap();
    let options = Options::default().with_balanced_compression();
    let mut socket = WebSocket::handshake_with_request(url, io, options, request)
        .await
        .unwrap();
    let mut view = json!(null);
    let (mut first, mut most) = (0, 0);
    for number in 0..=moves {
        loop {
            let frame = socket.next_frame().await.unwrap();
            if frame.opcode() != OpCode::Text {
                continue;
            }
            let bytes = received.swap(0, Ordering::Relaxed);
            let message: Value = serde_json::from_slice(frame.payload()).unwrap();
            if message["type"] == "state" {
                (first, view) = (bytes, message);
                break;
            }
            assert_eq!(message["type"], "update", "{message}");
            apply_update(&mut view, &message);
            most = most.max(bytes);
            // Other updates say who is connected.
            if message["moves"]["add"].is_array() {
                break;
            }
        }
        if view["game"]["ending"].is_string() {
            assert!(number > 4, "a whole game");
            break;
        }
        let choices = view["game"]["choices"]["moves"].as_array().unwrap();
        let mv = &choices[choices.len() / 2]["move"];
        let action = json!({"type": "move", "rev": view["game"]["rev"], "move": mv});
        socket.send(Frame::text(action.to_string())).await.unwrap();
    }
    (first, most)
}

/// Guards against messages with the whole board and all moves, which took 34 to 41 kB in ultimate
/// and 92 kB on a board of 15×15.
#[tokio::test]
async fn a_move_costs_few_bytes_on_the_wire() {
    for (variant, moves, limit) in [
        ("classic", 9, 3_000),
        ("ultimate", 60, 3_000),
        ("tic-tac-two", 30, 3_000),
        ("mnk:15,15,5", 60, 4_000),
    ] {
        let (first, most) = play(variant, moves).await;
        println!("{variant}: {first} bytes at first, then at most {most} bytes a move");
        assert!(most <= limit, "{variant}: {most} bytes");
    }
}
