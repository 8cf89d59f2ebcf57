//! A whole server in memory, and clients for it: over requests, and over sockets at a real address.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, header};
use futures_util::{SinkExt, StreamExt};
use noughts_store::Store;
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use tower::ServiceExt;

use crate::app::App;
use crate::config::{Config, RateLimit};
use crate::server::router;

/// A server without rate limits.
pub(crate) struct TestServer {
    pub(crate) app: App,
    pub(crate) router: Router,
}

impl TestServer {
    pub(crate) async fn new() -> TestServer {
        TestServer::with_store(Store::in_memory().await.unwrap()).await
    }

    pub(crate) async fn with_store(store: Store) -> TestServer {
        TestServer::with_store_and_config(store, |_| ()).await
    }

    /// A server with other settings.
    pub(crate) async fn with_config(settings: impl FnOnce(&mut Config)) -> TestServer {
        TestServer::with_store_and_config(Store::in_memory().await.unwrap(), settings).await
    }

    pub(crate) async fn with_store_and_config(
        store: Store,
        settings: impl FnOnce(&mut Config),
    ) -> TestServer {
        let mut config = Config::new(store, std::env::temp_dir());
        config.limits.bot_moves = RateLimit::UNLIMITED;
        config.limits.bot_moves_per_address = RateLimit::UNLIMITED;
        config.limits.requests = RateLimit::UNLIMITED;
        config.limits.games = RateLimit::UNLIMITED;
        config.limits.games_per_address = RateLimit::UNLIMITED;
        config.limits.stored_kib = RateLimit::UNLIMITED;
        config.limits.stored_kib_per_address = RateLimit::UNLIMITED;
        config.limits.messages = RateLimit::UNLIMITED;
        settings(&mut config);
        let app = App::new(config);
        app.access.load(&app.config.store).await.unwrap();
        let router = router(&app);
        TestServer { app, router }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.app.config.store
    }

    /// A client with a token that this server issued.
    pub(crate) fn client(&self, number: u8) -> TestClient {
        TestClient {
            token: self.app.access.token_of(number),
            router: self.router.clone(),
        }
    }

    /// Stops, and leaves the store to the next server.
    pub(crate) async fn stop(self) {
        self.app.shutdown.cancel();
        self.app.rooms.close_all(self.store()).await;
        self.store().close().await;
    }
}

/// A player or spectator.
#[derive(Clone)]
pub(crate) struct TestClient {
    pub(crate) token: String,
    router: Router,
}

impl TestClient {
    pub(crate) async fn send(&self, request: Request<Body>) -> (u16, Value) {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let body = to_bytes(response.into_body(), 1 << 24).await.unwrap();
        (status, serde_json::from_slice(&body).unwrap_or_default())
    }

    pub(crate) fn request(&self, method: &str, path: &str, body: Option<&Value>) -> Request<Body> {
        let request = Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::HOST, "127.0.0.1:7272")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        let request = match body {
            Some(_) => request.header(header::CONTENT_TYPE, "application/json"),
            None => request,
        };
        let body = body.map_or_else(Body::empty, |body| body.to_string().into());
        request.body(body).unwrap()
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Value) {
        self.send(self.request("GET", path, None)).await
    }

    /// The body of a response that isn't JSON.
    pub(crate) async fn get_text(&self, path: &str) -> String {
        let request = self.request("GET", path, None);
        let response = self.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        let body = to_bytes(response.into_body(), 1 << 24).await.unwrap();
        String::from_utf8(body.to_vec()).unwrap()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send(self.request("POST", path, Some(body))).await
    }

    /// Creates a game and returns its view.
    pub(crate) async fn create_game(&self, variant: &str, x: Value, o: Value) -> Value {
        let new = json!({"variant": variant, "x": x, "o": o});
        let (status, view) = self.post("/games", &new).await;
        assert_eq!(status, 201, "{view}");
        view
    }

    pub(crate) async fn game(&self, id: &str) -> Value {
        let (status, view) = self.get(&format!("/games/{id}")).await;
        assert_eq!(status, 200, "{view}");
        view
    }

    pub(crate) async fn act(&self, id: &str, action: &Value) -> (u16, Value) {
        self.post(&format!("/games/{id}/actions"), action).await
    }

    /// Acts on the latest revision.
    pub(crate) async fn act_on_latest(&self, id: &str, mut action: Value) -> (u16, Value) {
        action["rev"] = self.game(id).await["game"]["rev"].clone();
        self.act(id, &action).await
    }

    /// Acts on the latest revision, and expects success.
    pub(crate) async fn act_ok(&self, id: &str, action: Value) -> Value {
        let (status, view) = self.act_on_latest(id, action).await;
        assert_eq!(status, 200, "{view}");
        view
    }

    pub(crate) async fn play_move(&self, id: &str, text: &str) -> Value {
        self.act_ok(id, json!({"type": "move", "move": text})).await
    }

    /// Takes the seat of an invite link.
    pub(crate) async fn join(&self, view: &Value, name: &str) -> (u16, Value) {
        let link = view["invite"].as_str().unwrap();
        let code = link.rsplit('/').next().unwrap();
        let guest = json!({"code": code, "name": name});
        self.post(&format!("/games/{}/join", game_id(view)), &guest)
            .await
    }

    pub(crate) async fn watch(&self, id: &str) -> Frames {
        let request = self.request("GET", &format!("/games/{id}/stream"), None);
        let response = self.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let kind = &response.headers()[header::CONTENT_TYPE];
        assert_eq!(kind, "application/x-ndjson");
        Frames {
            body: response.into_body(),
            view: json!(null),
        }
    }
}

/// The lines of a stream, each with the complete view: a client has to remember it.
pub(crate) struct Frames {
    body: Body,
    view: Value,
}

impl Frames {
    pub(crate) async fn next(&mut self) -> Value {
        let body = std::mem::replace(&mut self.body, Body::empty());
        let mut stream = body.into_data_stream();
        let line = stream.next().await.expect("the stream goes on").unwrap();
        self.body = Body::from_stream(stream);
        assert_eq!(line.last(), Some(&b'\n'));
        let message: Value = serde_json::from_slice(&line).unwrap();
        match message["type"].as_str() {
            Some("state") => self.view = message,
            Some("update") => apply_update(&mut self.view, &message),
            _ => return message,
        }
        self.view.clone()
    }

    /// Reads until the predicate holds.
    pub(crate) async fn until(&mut self, predicate: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = self.next().await;
            if predicate(&frame) {
                return frame;
            }
        }
    }
}

/// Applies an update to a view, as a client does.
pub(crate) fn apply_update(view: &mut Value, update: &Value) {
    for field in ["you", "invite"] {
        if let Some(value) = update.get(field) {
            view[field] = value.clone();
        }
    }
    for (name, value) in update["game"].as_object().unwrap() {
        view["game"][name] = value.clone();
    }
    if let Some(change) = update.get("moves") {
        let keep = change["keep"].as_u64().unwrap() as usize;
        let moves = view["game"]["moves"].as_array_mut().unwrap();
        moves.truncate(keep);
        moves.extend(change["add"].as_array().unwrap().iter().cloned());
    }
}

pub(crate) fn game_id(view: &Value) -> String {
    view["game"]["id"].as_str().unwrap().into()
}

pub(crate) fn human_seat(name: &str) -> Value {
    json!({"kind": "human", "name": name})
}

pub(crate) fn bot_seat(name: &str) -> Value {
    json!({"kind": "bot", "name": name})
}

pub(crate) fn invite_seat() -> Value {
    json!({"kind": "invited"})
}

/// Two visitors in a game of classic: Ada as X and Bob as O.
pub(crate) async fn two_players(server: &TestServer) -> (TestClient, TestClient, String) {
    let (ada, bob) = (server.client(1), server.client(2));
    let created = ada
        .create_game("classic", human_seat("Ada"), invite_seat())
        .await;
    let (status, view) = bob.join(&created, "Bob").await;
    assert_eq!(status, 200, "{view}");
    (ada, bob, game_id(&created))
}

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Serves at a real address.
pub(crate) async fn listen(server: &TestServer) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (app, router) = (server.app.clone(), server.router.clone());
    tokio::spawn(async move { crate::listen::serve(Arc::new(listener), router, &app).await });
    address
}

pub(crate) async fn open_socket(
    address: std::net::SocketAddr,
    client: &TestClient,
    path: &str,
) -> Socket {
    let mut request = format!("ws://{address}/api/v1{path}")
        .into_client_request()
        .unwrap();
    let bearer = format!("Bearer {}", client.token).parse().unwrap();
    request.headers_mut().insert("authorization", bearer);
    connect_async(request).await.unwrap().0
}

pub(crate) async fn receive(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) async fn send(socket: &mut Socket, text: impl ToString) {
    socket.send(Message::text(text.to_string())).await.unwrap();
}
