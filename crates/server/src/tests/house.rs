//! A whole server in memory, and those who visit it: by requests, and by sockets at a
//! real address.

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

use crate::app::{App, router};
use crate::config::{Config, Rate};

/// A server, with no limit on how much anybody does.
pub(crate) struct House {
    pub(crate) app: App,
    pub(crate) router: Router,
}

impl House {
    pub(crate) async fn new() -> House {
        House::over(Store::in_memory().await.unwrap()).await
    }

    pub(crate) async fn over(store: Store) -> House {
        House::over_with(store, |_| ()).await
    }

    /// A server with other settings.
    pub(crate) async fn with(settings: impl FnOnce(&mut Config)) -> House {
        House::over_with(Store::in_memory().await.unwrap(), settings).await
    }

    pub(crate) async fn over_with(store: Store, settings: impl FnOnce(&mut Config)) -> House {
        let mut config = Config::new(store, std::env::temp_dir());
        config.limits.bot_moves = Rate::UNLIMITED;
        config.limits.bot_moves_of_address = Rate::UNLIMITED;
        config.limits.requests = Rate::UNLIMITED;
        config.limits.games = Rate::UNLIMITED;
        config.limits.games_of_address = Rate::UNLIMITED;
        config.limits.kept = Rate::UNLIMITED;
        config.limits.kept_of_address = Rate::UNLIMITED;
        config.limits.messages = Rate::UNLIMITED;
        settings(&mut config);
        let app = App::new(config);
        app.access.load(&app.config.store).await.unwrap();
        let router = router(&app);
        House { app, router }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.app.config.store
    }

    /// Somebody with a token that this server issued.
    pub(crate) fn visitor(&self, number: u8) -> Visitor {
        Visitor {
            token: self.app.access.token_of(number),
            router: self.router.clone(),
        }
    }

    /// Stops, and leaves the store to the next one.
    pub(crate) async fn stop(self) {
        self.app.stop.begin();
        self.app.rooms.close(self.store()).await;
        self.store().close().await;
    }
}

/// Somebody who plays or watches.
#[derive(Clone)]
pub(crate) struct Visitor {
    pub(crate) token: String,
    router: Router,
}

impl Visitor {
    pub(crate) async fn ask(&self, request: Request<Body>) -> (u16, Value) {
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
        self.ask(self.request("GET", path, None)).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.ask(self.request("POST", path, Some(body))).await
    }

    /// Makes a game and gives its view.
    pub(crate) async fn make(&self, variant: &str, x: Value, o: Value) -> Value {
        let new = json!({"variant": variant, "x": x, "o": o});
        let (status, view) = self.post("/games", &new).await;
        assert_eq!(status, 201, "{view}");
        view
    }

    pub(crate) async fn read(&self, id: &str) -> Value {
        let (status, view) = self.get(&format!("/games/{id}")).await;
        assert_eq!(status, 200, "{view}");
        view
    }

    pub(crate) async fn act(&self, id: &str, action: &Value) -> (u16, Value) {
        self.post(&format!("/games/{id}/actions"), action).await
    }

    /// Does it in the newest state.
    pub(crate) async fn act_now(&self, id: &str, mut action: Value) -> (u16, Value) {
        action["rev"] = self.read(id).await["game"]["rev"].clone();
        self.act(id, &action).await
    }

    /// Does it, and it must work.
    pub(crate) async fn does(&self, id: &str, action: Value) -> Value {
        let (status, view) = self.act_now(id, action).await;
        assert_eq!(status, 200, "{view}");
        view
    }

    pub(crate) async fn moves(&self, id: &str, text: &str) -> Value {
        self.does(id, json!({"do": "move", "move": text})).await
    }

    /// Takes the seat that a view invites to.
    pub(crate) async fn join(&self, view: &Value, name: &str) -> (u16, Value) {
        let link = view["invite"].as_str().unwrap();
        let code = link.rsplit('/').next().unwrap();
        let guest = json!({"code": code, "name": name});
        self.post(&format!("/games/{}/join", id(view)), &guest)
            .await
    }

    pub(crate) async fn watch(&self, id: &str) -> Frames {
        let request = self.request("GET", &format!("/games/{id}/stream"), None);
        let response = self.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let kind = &response.headers()[header::CONTENT_TYPE];
        assert_eq!(kind, "application/x-ndjson");
        Frames(response.into_body())
    }
}

/// The lines of a stream.
pub(crate) struct Frames(Body);

impl Frames {
    pub(crate) async fn next(&mut self) -> Value {
        let body = std::mem::replace(&mut self.0, Body::empty());
        let mut stream = body.into_data_stream();
        let line = stream.next().await.expect("the stream goes on").unwrap();
        self.0 = Body::from_stream(stream);
        assert_eq!(line.last(), Some(&b'\n'));
        serde_json::from_slice(&line).unwrap()
    }

    /// Reads on until something is so.
    pub(crate) async fn until(&mut self, is_so: impl Fn(&Value) -> bool) -> Value {
        loop {
            let frame = self.next().await;
            if is_so(&frame) {
                return frame;
            }
        }
    }
}

pub(crate) fn id(view: &Value) -> String {
    view["game"]["id"].as_str().unwrap().into()
}

pub(crate) fn person(name: &str) -> Value {
    json!({"kind": "person", "name": name})
}

pub(crate) fn bot(name: &str) -> Value {
    json!({"kind": "bot", "bot": name})
}

pub(crate) fn invite() -> Value {
    json!({"kind": "invite"})
}

/// Two people apart, at a game of classic: Ada as X and Bob as O.
pub(crate) async fn two(house: &House) -> (Visitor, Visitor, String) {
    let (ada, bob) = (house.visitor(1), house.visitor(2));
    let made = ada.make("classic", person("Ada"), invite()).await;
    let (status, view) = bob.join(&made, "Bob").await;
    assert_eq!(status, 200, "{view}");
    (ada, bob, id(&made))
}

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// The house at a real address.
pub(crate) async fn at(house: &House) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (app, router) = (house.app.clone(), house.router.clone());
    tokio::spawn(async move { crate::listen::serve(listener, router, &app).await });
    address
}

pub(crate) async fn open(address: std::net::SocketAddr, who: &Visitor, path: &str) -> Socket {
    let mut request = format!("ws://{address}/api/v1{path}")
        .into_client_request()
        .unwrap();
    let bearer = format!("Bearer {}", who.token).parse().unwrap();
    request.headers_mut().insert("authorization", bearer);
    connect_async(request).await.unwrap().0
}

pub(crate) async fn hear(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

pub(crate) async fn say(socket: &mut Socket, text: impl ToString) {
    socket.send(Message::text(text.to_string())).await.unwrap();
}
