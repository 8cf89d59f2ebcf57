//! What the middleware admits, when it sets a cookie, and what its responses look like.

use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::{Request, Response, StatusCode, header};
use axum::routing::{get, post};
use noughts_store::{Store, StoreError};
use tower::ServiceExt;

use super::*;
use crate::config::{Config, RateLimit};
use crate::network::SITE_MULTIPLIER;

/// A server with a few routes of its own, and these settings.
async fn server(settings: impl FnOnce(&mut Config)) -> Router {
    let store = Store::in_memory().await.expect("opens");
    let mut config = Config::new(store, "tables".into());
    settings(&mut config);
    let app = App::new(config);
    let routes = Router::new()
        .merge(crate::routes::router(&app, crate::api::description()))
        .route(
            "/page",
            get(|| async {
                maud::html! { "a page" }
            }),
        )
        .route("/do", post(|_: Visitor| async { "done" }))
        .route("/echo", post(|body: String| async { body }))
        .route(
            "/who",
            get(|visitor: Visitor| async move { format!("{:?}", visitor.hash) }),
        )
        .route(
            "/panic",
            get(|| async { panic!("at /secret/place") as &'static str }),
        )
        .route(
            "/never",
            get(|| async { std::future::pending::<&'static str>().await }),
        )
        .route(
            "/broken",
            get(|| async {
                ApiError::from(StoreError::DiskFull {
                    path: "/secret/place".into(),
                })
            }),
        );
    apply(routes, &app, crate::view::error_page).with_state(app)
}

async fn default_server() -> Router {
    server(|_| ()).await
}

type Headers<'a> = &'a [(&'a str, &'a str)];

async fn send(server: &Router, method: &str, path: &str, headers: Headers<'_>) -> Response<Body> {
    let mut request = Request::builder().method(method).uri(path);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", "127.0.0.1:7272");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).expect("a request");
    server.clone().oneshot(request).await.expect("never fails")
}

async fn text(response: Response<Body>) -> String {
    let bytes = to_bytes(response.into_body(), 1 << 20).await.expect("read");
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn cookie(response: &Response<Body>) -> Option<&str> {
    let cookie = response.headers().get(header::SET_COOKIE)?;
    Some(cookie.to_str().expect("readable"))
}

const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789ABCDEF";

#[tokio::test]
async fn cross_origin_actions_are_rejected() {
    let local = default_server().await;
    let named = server(|config| config.origin = Some("https://play.example".into())).await;
    let ours = format!("noughts={TOKEN}");
    let ours = ours.as_str();
    let cases: [(&Router, Headers<'_>, bool); 26] = [
        (&local, &[], true),
        (&local, &[("origin", "http://127.0.0.1:7272")], true),
        (&local, &[("origin", "http://127.0.0.1:7273")], false),
        (&local, &[("origin", "http://evil.example")], false),
        (&local, &[("origin", "null")], false),
        (
            &local,
            &[("origin", "http://127.0.0.1:7272.evil.example")],
            false,
        ),
        (
            &local,
            &[("origin", "http://localhost:1"), ("host", "localhost:1")],
            true,
        ),
        (&local, &[("cookie", ours)], true),
        (
            &local,
            &[("cookie", ours), ("sec-fetch-site", "same-origin")],
            true,
        ),
        (
            &local,
            &[("cookie", ours), ("sec-fetch-site", "cross-site")],
            false,
        ),
        (
            &local,
            &[("cookie", ours), ("sec-fetch-site", "same-site")],
            false,
        ),
        (
            &local,
            &[("cookie", ours), ("referer", "http://evil.example/a")],
            false,
        ),
        (
            &local,
            &[("cookie", ours), ("referer", "http://127.0.0.1:7272/a?b")],
            true,
        ),
        (
            &local,
            &[
                ("authorization", "Bearer x"),
                ("origin", "http://evil.example"),
            ],
            false,
        ),
        (
            &named,
            &[("host", "play.example"), ("origin", "https://play.example")],
            true,
        ),
        // Behind a reverse proxy, which uses our IP address.
        (&named, &[("origin", "https://play.example")], true),
        (
            &named,
            &[("host", "play.example"), ("origin", "https://evil.example")],
            false,
        ),
        // The same host without encryption is another origin.
        (
            &named,
            &[("host", "play.example"), ("origin", "http://play.example")],
            false,
        ),
        (&named, &[("origin", "http://127.0.0.1:7272")], true),
        (&named, &[("origin", "https://127.0.0.1:7272")], false),
        // Two contradictory headers are rejected.
        (
            &local,
            &[
                ("origin", "http://127.0.0.1:7272"),
                ("origin", "http://evil.example"),
            ],
            false,
        ),
        (
            &local,
            &[("host", "127.0.0.1:7272"), ("host", "evil.example")],
            false,
        ),
        // Browsers send these headers for pages, with or without a cookie.
        (&local, &[("sec-fetch-site", "cross-site")], false),
        (&local, &[("sec-fetch-site", "none")], true),
        (&local, &[("referer", "http://evil.example/a")], false),
        (&local, &[("referer", "http://127.0.0.1:7272/a")], true),
    ];
    for (server, headers, admitted) in cases {
        let done = send(server, "POST", "/do", headers).await;
        assert_eq!(done.status() == StatusCode::OK, admitted, "{headers:?}");
        if !admitted {
            assert_eq!(done.status(), StatusCode::FORBIDDEN, "{headers:?}");
            assert!(text(done).await.contains("\"kind\":\"foreign-origin\""));
        }
        // Reading isn't acting; a socket is.
        assert_eq!(
            send(server, "GET", "/who", &[]).await.status(),
            StatusCode::OK
        );
        let mut socket = headers.to_vec();
        socket.push(("upgrade", "websocket"));
        let socket = send(server, "GET", "/page", &socket).await;
        assert_eq!(socket.status() == StatusCode::OK, admitted, "{headers:?}");
    }
}

#[tokio::test]
async fn a_local_server_answers_only_to_its_own_hosts() {
    let local = default_server().await;
    let named = server(|config| config.origin = Some("http://play.example:80".into())).await;
    let public = server(|config| config.is_local = false).await;
    for (host, at_local, at_named) in [
        ("127.0.0.1:7272", true, true),
        ("localhost", true, true),
        ("LOCALHOST:99", true, true),
        ("[::1]:7272", true, true),
        ("192.168.1.5:7272", true, true),
        ("evil.example", false, false),
        ("evil.example:7272", false, false),
        ("localhost.evil.example", false, false),
        ("127.0.0.1.evil.example", false, false),
        ("play.example", false, true),
        ("", false, false),
    ] {
        for (server, admitted) in [(&local, at_local), (&named, at_named), (&public, true)] {
            let page = send(server, "GET", "/page", &[("host", host)]).await;
            assert_eq!(page.status() == StatusCode::OK, admitted, "{host}");
        }
        let health = send(&local, "GET", "/healthz", &[("host", host)]).await;
        assert_eq!(health.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn a_visitor_is_identified_by_an_http_only_cookie() {
    let server = default_server().await;
    let page = send(&server, "GET", "/page", &[]).await;
    let set = cookie(&page).expect("a cookie").to_owned();
    let (pair, rest) = set.split_once("; ").expect("attributes");
    assert_eq!(rest, "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax");
    let token = pair.strip_prefix("noughts=").expect("its name");
    assert_eq!(token.len(), 64);
    let first = text(send(&server, "GET", "/who", &[("cookie", pair)]).await).await;
    let again = send(
        &server,
        "GET",
        "/who",
        &[("cookie", &format!("a=b; {pair}"))],
    )
    .await;
    assert_eq!(cookie(&again), None);
    assert_eq!(text(again).await, first);
    // A program with the same token is the same visitor.
    let bearer = format!("Bearer {}", token.to_uppercase());
    let program = send(&server, "GET", "/who", &[("authorization", &bearer)]).await;
    assert_eq!(text(program).await, first);
    // Two new visitors are different.
    assert_ne!(
        text(send(&server, "GET", "/who", &[]).await).await,
        text(send(&server, "GET", "/who", &[]).await).await
    );
    for (method, path, new_cookie) in [
        ("POST", "/do", true),
        ("GET", "/who", false),
        ("GET", "/nothing", false),
    ] {
        let response = send(&server, method, path, &[]).await;
        assert_eq!(cookie(&response).is_some(), new_cookie, "{method} {path}");
    }
    let malformed = send(&server, "GET", "/page", &[("cookie", "noughts=abc")]).await;
    assert!(cookie(&malformed).is_some());
}

/// A subdomain, or a machine in the middle, can't set such a cookie.
#[tokio::test]
async fn over_https_the_cookie_is_bound_to_the_host() {
    let secure = server(|config| config.origin = Some("https://a.example".into())).await;
    let page = send(&secure, "GET", "/page", &[]).await;
    let set = cookie(&page).expect("a cookie").to_owned();
    let (pair, rest) = set.split_once("; ").expect("attributes");
    assert_eq!(
        rest,
        "Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure"
    );
    let token = pair.strip_prefix("__Host-noughts=").expect("its name");
    let who = text(send(&secure, "GET", "/who", &[("cookie", pair)]).await).await;
    let again = text(send(&secure, "GET", "/who", &[("cookie", pair)]).await).await;
    assert_eq!(who, again);
    let planted = format!("noughts={token}");
    let planted = send(&secure, "GET", "/who", &[("cookie", &planted)]).await;
    assert_ne!(text(planted).await, who, "the other name is somebody new");
}

/// Guards against accepting any 64 hexadecimal digits.
#[tokio::test]
async fn tokens_of_other_servers_are_rejected() {
    let (local, elsewhere) = (default_server().await, default_server().await);
    let page = send(&elsewhere, "GET", "/page", &[]).await;
    let set = cookie(&page).expect("a cookie");
    let foreign = set["noughts=".len()..][..64].to_owned();
    for token in [TOKEN, &foreign] {
        let bearer = format!("Bearer {token}");
        let response = send(&local, "GET", "/who", &[("authorization", &bearer)]).await;
        assert_eq!(response.status(), StatusCode::UNAUTHORIZED);
        assert!(response.headers().contains_key(header::WWW_AUTHENTICATE));
        let body = text(response).await;
        assert!(body.contains("\"kind\":\"unknown-token\""), "{body}");

        let shown = format!("noughts={token}");
        let page = send(&local, "GET", "/page", &[("cookie", &shown)]).await;
        let new_cookie = cookie(&page).expect("another one").to_owned();
        assert!(!new_cookie.contains(token), "{new_cookie}");
        let known = format!("Bearer {token}");
        let elsewhere_response =
            send(&elsewhere, "GET", "/who", &[("authorization", &known)]).await;
        assert_eq!(
            elsewhere_response.status() == StatusCode::OK,
            token == foreign
        );
    }
}

/// A recently ended session stays ended, however long the server has been in use.
#[tokio::test]
async fn only_expired_sessions_are_deleted() {
    let store = Store::in_memory().await.expect("opens");
    let first = AccessControl::default();
    first.load(&store).await.expect("read");
    let token = token::SignedToken::parse(&first.token_of(1)).expect("a token");
    let visitor = noughts_store::VisitorId::from_hash(&token.hash());
    first.end_session(&store, visitor).await.expect("ended");
    // As if tokens had been dated for years, so that ended sessions can be deleted.
    let dated = store
        .set_preference("tokens are dated since", "10000")
        .await;
    dated.expect("stored");
    let second = AccessControl::default();
    second.load(&store).await.expect("read");
    assert!(!second.accepts(&token).expect("read"));
    let other = token::SignedToken::parse(&second.token_of(2)).expect("a token");
    assert!(second.accepts(&other).expect("read"));
}

#[tokio::test]
async fn only_banned_visitors_are_rejected() {
    let store = Store::in_memory().await.expect("opens");
    let mut config = Config::new(store.clone(), "tables".into());
    config.origin = Some("https://a.example".into());
    let app = App::new(config);
    let server = crate::server::router(&app);
    app.access.load(&store).await.expect("read");
    let (one, other) = (app.access.token_of(1), app.access.token_of(2));
    let send = async |token: &str, address: &str| {
        let bearer = format!("Bearer {token}");
        let headers = [
            ("authorization", bearer.as_str()),
            ("x-forwarded-for", address),
            ("accept", "text/html"),
        ];
        let response = send(&server, "GET", "/rules", &headers).await;
        (response.status().as_u16(), text(response).await)
    };
    let hash = token::SignedToken::parse(&one).expect("a token").hash();
    let visitor = noughts_store::VisitorId::from_hash(&hash);
    let network = "203.0.113.0/24".parse().expect("a network");
    let banned = noughts_store::BanTarget::Visitor(visitor);
    for target in [banned, network] {
        let result = store.ban(target, Some("spam")).await;
        assert!(result.expect("written"));
    }
    assert_eq!(send(&one, "198.51.100.1").await.0, 200, "not read yet");
    app.access.refresh(&store).await.expect("read");
    let (status, page) = send(&one, "198.51.100.1").await;
    assert_eq!(status, 403);
    assert!(page.contains("banned") && page.contains("spam"), "{page}");
    assert_eq!(send(&other, "203.0.113.77").await.0, 403);
    assert_eq!(send(&other, "203.0.114.77").await.0, 200);
    let from = [("x-forwarded-for", "203.0.113.77")];
    let health = self::send(&server, "GET", "/healthz", &from).await;
    assert_eq!(health.status(), StatusCode::OK, "probes are let in");

    for target in [banned, network] {
        assert!(store.unban(target).await.expect("written"));
    }
    app.access.refresh(&store).await.expect("read");
    assert_eq!(send(&one, "203.0.113.77").await.0, 200);
}

#[tokio::test]
async fn a_malformed_bearer_token_is_an_error() {
    let server = default_server().await;
    let long = format!("Bearer {TOKEN}0");
    for shown in [
        "",
        "Bearer",
        "Bearer ",
        "Bearer 12",
        &long,
        "Basic YTpi",
        TOKEN,
    ] {
        let response = send(&server, "GET", "/who", &[("authorization", shown)]).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{shown}");
        assert!(text(response).await.contains("64 hexadecimal digits"));
    }
}

#[tokio::test]
async fn all_errors_have_the_same_format() {
    let server = server(|config| config.limits.response_timeout = Duration::from_millis(5)).await;
    for (method, path, status, kind) in [
        ("GET", "/nothing", 404, "not-found"),
        ("GET", "/do", 405, "method-not-allowed"),
        ("GET", "/panic", 500, "internal"),
        ("GET", "/never", 503, "busy"),
        ("GET", "/broken", 503, "store"),
    ] {
        let json = send(&server, method, path, &[]).await;
        assert_eq!(json.status().as_u16(), status, "{path}");
        let says_when = json.headers().contains_key(header::RETRY_AFTER);
        assert_eq!(says_when, status == 503, "{path}");
        let body = text(json).await;
        let start = format!("{{\"error\":{{\"kind\":\"{kind}\",\"message\":\"");
        assert!(body.starts_with(&start), "{path}: {body}");
        assert!(!body.contains("secret"), "{body}");
        let page = send(&server, method, path, &[("accept", "text/html,*/*")]).await;
        assert_eq!(page.status().as_u16(), status, "{path}");
        let body = text(page).await;
        assert!(body.starts_with("<!DOCTYPE html>"), "{path}: {body}");
        assert!(!body.contains("secret"), "{body}");
    }
    let error = send(&server, "GET", "/do", &[]).await;
    assert_eq!(error.headers()[header::ALLOW], "POST");
}

#[tokio::test]
async fn large_bodies_are_rejected() {
    let server = server(|config| config.limits.body_bytes = 10).await;
    for (length, status) in [(10, 200), (11, 413), (100_000, 413)] {
        let request = Request::post("/echo").header("host", "localhost");
        let request = request.body(Body::from("a".repeat(length)));
        let response = server.clone().oneshot(request.expect("a request")).await;
        let response = response.expect("never fails");
        assert_eq!(response.status().as_u16(), status, "{length}");
        if status == 413 {
            assert!(text(response).await.contains("\"kind\":\"too-large\""));
        }
    }
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let server = default_server().await;
    for path in ["/page", "/nothing", "/who", "/panic", "/healthz"] {
        let response = send(&server, "GET", path, &[]).await;
        let headers = response.headers();
        let policy = headers[header::CONTENT_SECURITY_POLICY]
            .to_str()
            .expect("text");
        assert!(policy.contains("default-src 'none'"), "{path}");
        assert!(!policy.contains("unsafe"), "{path}");
        assert_eq!(headers[header::X_CONTENT_TYPE_OPTIONS], "nosniff");
        assert_eq!(headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(headers["cross-origin-opener-policy"], "same-origin");
    }
}

#[tokio::test]
async fn requests_are_limited_per_address() {
    let limit = RateLimit {
        burst: 3,
        interval: Duration::from_secs(3600),
    };
    let server = server(|config| {
        config.limits.requests = limit;
        config.origin = Some("https://a.example".into());
    })
    .await;
    let from = |address: &'static str| [("x-forwarded-for", address)];
    for _ in 0..3 {
        let response = send(&server, "GET", "/page", &from("1.2.3.4")).await;
        assert_eq!(response.status(), StatusCode::OK);
    }
    // Clients can make up anything before the last comma.
    for address in ["1.2.3.4", "9.9.9.9, 1.2.3.4"] {
        let response = send(&server, "GET", "/page", &from(address)).await;
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(response.headers().contains_key(header::RETRY_AFTER));
    }
    for address in ["1.2.3.5", "2001:db8::1"] {
        let response = send(&server, "GET", "/page", &from(address)).await;
        assert_eq!(response.status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn games_streams_and_messages_are_limited() {
    let limit = RateLimit {
        burst: 2,
        interval: Duration::from_secs(3600),
    };
    let limits = crate::config::ServerLimits {
        games: limit,
        messages: limit,
        streams: 2,
        ..Default::default()
    };
    let rates = RateLimiters::new(&limits);
    let store = Store::in_memory().await.expect("opens");
    let access = AccessControl::default();
    access.load(&store).await.expect("read");
    let config = Config::new(store, "tables".into());
    let visitor = |number: u8| {
        let bearer = format!("Bearer {}", access.token_of(number));
        let request = Request::get("/").header("authorization", bearer);
        let request = request.body(Body::empty()).expect("a request");
        let address = subnet_address(address::client_address(&request, &config).for_limits());
        visitor::identify(request.headers(), address, &config, &access)
            .expect("met")
            .visitor
    };
    let (one, other) = (visitor(1), visitor(2));
    assert!(rates.check_new_game(&one).is_ok() && rates.check_new_game(&one).is_ok());
    let error = rates.check_new_game(&one).expect_err("too many");
    assert_eq!(error.kind, ApiErrorKind::TooMany);
    assert!(rates.check_new_game(&other).is_ok());

    let first = rates.open_stream(&one).expect("open");
    let second = rates.open_stream(&other).expect("open");
    assert!(rates.open_stream(&one).is_err());
    drop(first);
    let third = rates.open_stream(&one);
    assert!(third.is_ok());
    drop((second, third));
    assert!(rates.open_stream(&one).is_ok());

    let messages = rates.message_limiter();
    assert!(messages.check().is_ok() && messages.check().is_ok());
    assert!(messages.check().is_err());
    assert!(rates.message_limiter().check().is_ok());
}

#[tokio::test]
async fn metrics_are_served_to_this_machine_only() {
    let server = server(|config| config.origin = Some("https://a.example".into())).await;
    crate::meter::install();
    send(&server, "GET", "/page", &[]).await;
    let metrics = send(&server, "GET", "/metrics", &[]).await;
    assert_eq!(metrics.status(), StatusCode::OK);
    let metrics = text(metrics).await;
    let line = "noughts_requests_total{method=\"GET\",route=\"/page\",status=\"200\"}";
    assert!(metrics.contains(line), "{metrics}");
    let line = "noughts_thinking_waiting{kind=\"analyses\"} 0";
    assert!(metrics.contains(line), "{metrics}");
    let away = send(
        &server,
        "GET",
        "/metrics",
        &[("x-forwarded-for", "1.2.3.4")],
    )
    .await;
    assert_eq!(away.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn metrics_with_a_token_require_it() {
    let server = server(|config| {
        config.metrics_token = Some("a-long-enough-token".into());
        config.origin = Some("https://a.example".into());
    })
    .await;
    let away = ("x-forwarded-for", "1.2.3.4");
    for (headers, status) in [
        (&[away][..], StatusCode::FORBIDDEN),
        (&[], StatusCode::FORBIDDEN),
        (
            &[away, ("authorization", "Bearer a-long-enough-tokem")],
            StatusCode::FORBIDDEN,
        ),
        (
            &[away, ("authorization", "Basic a-long-enough-token")],
            StatusCode::FORBIDDEN,
        ),
        (
            &[away, ("authorization", "Bearer a-long-enough-token")],
            StatusCode::OK,
        ),
    ] {
        let response = send(&server, "GET", "/metrics", headers).await;
        assert_eq!(response.status(), status, "{headers:?}");
    }
}

/// Metrics with their own listener aren't served anywhere else.
#[tokio::test]
async fn metrics_with_their_own_listener() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = std::sync::Arc::new(listener.expect("a port"));
    let store = Store::in_memory().await.expect("opens");
    let mut config = Config::new(store, "tables".into());
    config.metrics_listener = Some(listener);
    let app = App::new(config);
    let main = crate::server::router(&app);
    let away = crate::routes::metrics_router();
    let away = apply_to_metrics(away, &app, crate::view::error_page, true).with_state(app.clone());
    for (server, path, host, status) in [
        (&main, "/metrics", "localhost", 404),
        (&main, "/healthz", "localhost", 200),
        (&away, "/metrics", "localhost", 200),
        (&away, "/healthz", "whatever.example", 200),
        (&away, "/games", "localhost", 404),
        // DNS rebinding: another site's name must not lead here.
        (&away, "/metrics", "evil.example", 403),
    ] {
        let response = send(server, "GET", path, &[("host", host)]).await;
        assert_eq!(response.status().as_u16(), status, "{host}{path}");
    }
}

#[tokio::test]
async fn health_reports_a_log_that_cannot_be_written() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    crate::meter::install();
    let mut log = crate::LogWriter::start(Full).expect("a thread");
    let server = server(|config| config.log = Some(log.clone())).await;
    assert_eq!(
        text(send(&server, "GET", "/healthz", &[]).await).await,
        "ok"
    );
    std::io::Write::write_all(&mut log, b"a line").expect("never fails");
    assert!(log.flush_within(Duration::from_secs(60)));
    let health = send(&server, "GET", "/healthz", &[]).await;
    assert_eq!(health.status(), StatusCode::OK);
    assert_eq!(
        text(health).await,
        "ok\nThe log can't be written. Lines dropped: 1\n"
    );
    let metrics = text(send(&server, "GET", "/metrics", &[]).await).await;
    assert!(metrics.contains("\nnoughts_log_lines_dropped_total 1\n"));
}

#[tokio::test]
async fn hsts_includes_subdomains() {
    let named = server(|config| config.origin = Some("https://a.example".into())).await;
    let page = send(&named, "GET", "/page", &[]).await;
    assert_eq!(
        page.headers()[header::STRICT_TRANSPORT_SECURITY],
        "max-age=31536000; includeSubDomains"
    );
    let page = send(&default_server().await, "GET", "/page", &[]).await;
    assert!(
        !page
            .headers()
            .contains_key(header::STRICT_TRANSPORT_SECURITY)
    );
}

/// One IPv6 site has 65,536 subnets to send requests from.
#[tokio::test]
async fn an_ipv6_site_has_a_limit_of_its_own() {
    let limit = RateLimit {
        burst: 2,
        interval: Duration::from_secs(3600),
    };
    let server = server(|config| {
        config.limits.requests = limit;
        config.origin = Some("https://a.example".into());
    })
    .await;
    let mut admitted = 0;
    for subnet in 0..20 {
        let address = format!("2001:db8:1:{subnet}::1");
        let response = send(&server, "GET", "/page", &[("x-forwarded-for", &address)]).await;
        admitted += u32::from(response.status() == StatusCode::OK);
    }
    assert_eq!(admitted, 2 * SITE_MULTIPLIER);
    let elsewhere = [("x-forwarded-for", "2001:db8:2::1")];
    let response = send(&server, "GET", "/page", &elsewhere).await;
    assert_eq!(response.status(), StatusCode::OK);
}

/// Guards against streams counted by subnet alone: one IPv6 site could open any number.
#[tokio::test]
async fn an_ipv6_site_has_a_limit_of_open_streams() {
    let rates = RateLimiters::new(&crate::config::ServerLimits {
        streams: 1,
        ..crate::config::ServerLimits::default()
    });
    let store = Store::in_memory().await.expect("opens");
    let config = Config::new(store.clone(), "tables".into());
    let access = AccessControl::default();
    access.load(&store).await.expect("read");
    let visitor = |address: &str| {
        let address = subnet_address(address.parse().expect("an address"));
        let identified = visitor::identify(&HeaderMap::new(), address, &config, &access);
        identified.expect("a visitor").visitor
    };
    let mut open = Vec::new();
    for number in 0..SITE_MULTIPLIER {
        let me = visitor(&format!("2001:db8:1:{number}::1"));
        open.push(rates.open_stream(&me).expect("room"));
        assert!(rates.open_stream(&me).is_err(), "one for each household");
    }
    let fifth = visitor("2001:db8:1:9::1");
    assert!(rates.open_stream(&fifth).is_err());
    let elsewhere = rates.open_stream(&visitor("2001:db8:2::1")).expect("room");
    drop((open.pop(), elsewhere));
    assert!(rates.open_stream(&fifth).is_ok());
    drop(open);
    assert!(rates.open_stream(&visitor("2001:db8:1:0::1")).is_ok());
}

/// A request with contradictory hosts is rejected.
#[tokio::test]
async fn contradictory_hosts_are_rejected() {
    let local = default_server().await;
    for (target, admitted) in [
        ("http://127.0.0.1:7272/page", true),
        ("http://evil.example/page", false),
        ("http://127.0.0.1:7273/page", false),
    ] {
        let page = send(&local, "GET", target, &[]).await;
        assert_eq!(page.status() == StatusCode::OK, admitted, "{target}");
    }
}

/// A proxied request never counts as coming from this machine.
#[tokio::test]
async fn forwarded_addresses_from_a_local_proxy() {
    let store = Store::in_memory().await.expect("opens");
    let mut config = Config::new(store, "tables".into());
    config.origin = Some("https://play.example".into());
    for (host, forwarded, expected) in [
        ("127.0.0.1:7272", None, "127.0.0.1"),
        ("play.example", None, "0.0.0.0"),
        ("PLAY.example:443", None, "0.0.0.0"),
        ("127.0.0.1", Some("1.2.3.4"), "1.2.3.4"),
        ("127.0.0.1", Some("9.9.9.9, 1.2.3.4:5678"), "1.2.3.4"),
        ("127.0.0.1", Some("2001:db8::1"), "2001:db8::"),
        ("127.0.0.1", Some("[2001:db8::1]:5678"), "2001:db8::"),
        ("127.0.0.1", Some("[2001:db8::1]"), "2001:db8::"),
        ("127.0.0.1", Some("unknown"), "0.0.0.0"),
        ("127.0.0.1", Some("1.2.3.4, "), "0.0.0.0"),
        ("127.0.0.1", Some("127.0.0.1"), "0.0.0.0"),
        ("127.0.0.1", Some("::1"), "0.0.0.0"),
    ] {
        let mut request = Request::get("/").header("host", host);
        if let Some(forwarded) = forwarded {
            request = request.header("x-forwarded-for", forwarded);
        }
        let request = request.body(Body::empty()).expect("a request");
        let found = subnet_address(address::client_address(&request, &config).for_limits());
        assert_eq!(found.to_string(), expected, "{host} {forwarded:?}");
    }
}

/// Guards against clients behind proxies on other machines sharing one limit.
#[tokio::test]
async fn forwarded_addresses_from_trusted_proxies() {
    let store = Store::in_memory().await.expect("opens");
    let mut config = Config::new(store, "tables".into());
    config.trusted_proxies = vec![
        "10.0.0.0/8".parse().expect("a range"),
        "2001:db8:ff::/48".parse().expect("a range"),
    ];
    let xff = "x-forwarded-for";
    let cases: [(&str, Headers<'_>, &str); 22] = [
        ("10.0.0.1", &[(xff, "1.2.3.4")], "1.2.3.4"),
        ("::ffff:10.0.0.1", &[(xff, "1.2.3.4")], "1.2.3.4"),
        ("2001:db8:ff::1", &[(xff, "1.2.3.4")], "1.2.3.4"),
        // Other clients can write what they like.
        ("11.0.0.1", &[(xff, "1.2.3.4")], "11.0.0.1"),
        ("127.0.0.1", &[(xff, "1.2.3.4")], "127.0.0.1"),
        ("11.0.0.1", &[("forwarded", "for=1.2.3.4")], "11.0.0.1"),
        // The rightmost address that isn't a proxy's.
        (
            "10.0.0.1",
            &[(xff, "9.9.9.9, 1.2.3.4, 10.2.3.4")],
            "1.2.3.4",
        ),
        (
            "10.0.0.1",
            &[(xff, "9.9.9.9"), (xff, "1.2.3.4, 10.2.3.4")],
            "1.2.3.4",
        ),
        (
            "10.0.0.1",
            &[(xff, "1.2.3.4"), (xff, "10.9.9.9")],
            "1.2.3.4",
        ),
        ("10.0.0.1", &[(xff, "10.7.7.7, 10.8.8.8")], "10.7.7.7"),
        (
            "10.0.0.1",
            &[(xff, "9.9.9.9, nonsense, 10.2.3.4")],
            "0.0.0.0",
        ),
        ("10.0.0.1", &[(xff, "127.0.0.1")], "0.0.0.0"),
        ("10.0.0.1", &[], "10.0.0.1"),
        // The standard header.
        (
            "10.0.0.1",
            &[("forwarded", "for=1.2.3.4;proto=https")],
            "1.2.3.4",
        ),
        (
            "10.0.0.1",
            &[("forwarded", "By=10.0.0.1; FOR=\"1.2.3.4:99\"")],
            "1.2.3.4",
        ),
        (
            "10.0.0.1",
            &[("forwarded", "for=\"[2001:db8::1]:99\"")],
            "2001:db8::",
        ),
        (
            "10.0.0.1",
            &[("forwarded", "for=9.9.9.9, for=1.2.3.4, for=10.1.1.1")],
            "1.2.3.4",
        ),
        (
            "10.0.0.1",
            &[("forwarded", "for=\"9.9.9.9, for=1.2.3.4")],
            "1.2.3.4",
        ),
        ("10.0.0.1", &[("forwarded", "for=unknown")], "0.0.0.0"),
        ("10.0.0.1", &[("forwarded", "proto=https")], "0.0.0.0"),
        // If the headers disagree, the client wrote one of them, and it's unknown which.
        (
            "10.0.0.1",
            &[(xff, "1.2.3.4"), ("forwarded", "for=1.2.3.4")],
            "1.2.3.4",
        ),
        (
            "10.0.0.1",
            &[(xff, "1.2.3.4"), ("forwarded", "for=6.6.6.6")],
            "0.0.0.0",
        ),
    ];
    for (peer, headers, expected) in cases {
        let mut request = Request::get("/").header("host", "play.example");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut request = request.body(Body::empty()).expect("a request");
        let peer: std::net::IpAddr = peer.parse().expect("an address");
        let peer = axum::extract::ConnectInfo(std::net::SocketAddr::from((peer, 7)));
        request.extensions_mut().insert(peer);
        let found = subnet_address(address::client_address(&request, &config).for_limits());
        assert_eq!(found.to_string(), expected, "{peer:?} {headers:?}");
    }
}

/// Guards against evading bans with a made-up `Forwarded`: nginx sets `X-Forwarded-For` and passes
/// on the client's own `Forwarded`, and the address was then unknown and covered by no ban.
#[tokio::test]
async fn contradictory_proxy_headers_are_rejected() {
    let store = Store::in_memory().await.expect("opens");
    for banned in ["1.2.3.4", "2001:db8:7::1"] {
        let target = banned.parse().expect("an address");
        store.ban(target, None).await.expect("banned");
    }
    let mut config = Config::new(store, "tables".into());
    config.origin = Some("https://a.example".into());
    let server = crate::server::router(&App::new(config));
    for (x_forwarded_for, forwarded, status) in [
        ("1.2.3.4", "for=1.2.3.4", 403),
        ("1.2.3.4", "for=6.6.6.6", 403),
        ("1.2.3.4", "for=unknown", 403),
        ("1.2.3.4", "", 403),
        ("6.6.6.6", "for=1.2.3.4", 403),
        ("6.6.6.6", "for=\"[2001:db8:7:0:9::]\"", 403),
        ("6.6.6.6", "for=7.7.7.7", 400),
        ("6.6.6.6", "nonsense", 400),
        ("nonsense", "for=7.7.7.7", 400),
        ("6.6.6.6", "for=6.6.6.6", 200),
    ] {
        let headers = [
            ("x-forwarded-for", x_forwarded_for),
            ("forwarded", forwarded),
        ];
        let response = send(&server, "GET", "/rules", &headers).await;
        assert_eq!(response.status(), status, "{headers:?}");
        if status == 400 {
            let response = text(response).await;
            assert!(response.contains("name different addresses"), "{response}");
        }
        let health = send(&server, "GET", "/healthz", &headers).await;
        assert_eq!(health.status(), StatusCode::OK);
    }
}

/// Guards against log lines that say neither who sent a request nor from where.
#[tokio::test]
async fn requests_are_logged_with_visitor_and_address() {
    let key = [7; 32];
    for shows_addresses in [false, true] {
        let names = crate::AddressPseudonyms::new(Some(key), shows_addresses);
        let log = crate::tests::Log::default();
        let second = tracing::Dispatch::new(crate::tests::Log::default());
        let logging = tracing::subscriber::set_default(log.clone());
        let store = Store::in_memory().await.expect("opens");
        let mut config = Config::new(store.clone(), "tables".into());
        config.log_names = names.clone();
        config.origin = Some("https://a.example".into());
        let app = App::new(config);
        app.access.load(&store).await.expect("read");
        let server = crate::server::router(&app);
        let token = app.access.token_of(1);
        let bearer = format!("Bearer {token}");
        let known = [
            ("authorization", bearer.as_str()),
            ("x-forwarded-for", "1.2.3.4"),
        ];
        let response = send(&server, "GET", "/rules", &known).await;
        assert_eq!(response.status(), StatusCode::OK);
        let foreign = [("x-forwarded-for", "1.2.3.5"), ("host", "evil.example")];
        let response = send(&server, "GET", "/rules", &foreign).await;
        assert_eq!(response.status(), StatusCode::FORBIDDEN);
        drop((logging, second));
        let log = log.text();
        let hash = token::SignedToken::parse(&token).expect("a token").hash();
        let visitor = noughts_store::VisitorId::from_hash(&hash);
        for (visitor, address) in [
            (visitor.to_string(), [1, 2, 3, 4]),
            ("unknown".into(), [1, 2, 3, 5]),
        ] {
            let address = names.address_label(address.into());
            let fields = format!("visitor={visitor:?} address={address:?}");
            assert!(log.contains(&fields), "{fields} in {log}");
        }
        assert_eq!(log.contains("1.2.3.4"), shows_addresses);
    }
}
