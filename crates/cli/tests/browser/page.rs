//! Chromium with a page in it: real mouse, touch and key events go in, what the page
//! shows is read off. Nothing sleeps: the page itself says when what is waited for is
//! there.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::cdp::Cdp;
use thirtyfour::prelude::*;

/// Longer than anything takes on a busy machine; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A script answers sooner, unless its page is gone.
const SCRIPT: Duration = Duration::from_secs(5);

/// Chromium without windows, as Debian packages it: it starts in a third of the time.
const BROWSER: &str = "chromium-headless-shell";

/// The flags of a browser that asks nothing and calls nobody.
const FLAGS: [&str; 8] = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

const NO_BROWSER: &str =
    "these tests need chromium-headless-shell and chromedriver; `cargo xtask test` installs them";

/// What starts browsers.
pub(crate) struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    pub(crate) fn start() -> Driver {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect(NO_BROWSER);
        let output = child.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        Driver {
            child,
            port: port.expect("the driver says its port"),
        }
    }

    /// A browser of its own, with no memory, and a window of this size.
    pub(crate) async fn open(&self, width: u32, height: u32) -> Page {
        let mut flags = DesiredCapabilities::chrome();
        flags.set_binary(&browser()).expect("a path");
        for flag in FLAGS {
            flags.add_arg(flag).expect("a flag");
        }
        let driver = WebDriver::new(format!("http://127.0.0.1:{}", self.port), flags);
        let driver = driver.await.expect("a browser");
        let timeouts = TimeoutConfiguration::new(Some(SCRIPT), Some(PATIENCE), None);
        driver
            .update_timeouts(timeouts)
            .await
            .expect("the browser listens");
        let tools = driver.cdp();
        let page = Page { driver, tools };
        page.size(width, height, false).await;
        page
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A place in the window.
pub(crate) type Point = (f64, f64);

/// A browser's one page.
pub(crate) struct Page {
    driver: WebDriver,
    tools: Cdp,
}

impl Page {
    async fn tell(&self, what: &str, how: Value) -> Value {
        let told = self.tools.send_raw(what, how).await;
        told.unwrap_or_else(|error| panic!("{what}: {error}"))
    }

    /// The size of the page; with fingers, it is a phone.
    pub(crate) async fn size(&self, width: u32, height: u32, fingers: bool) {
        let how = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": fingers,
        });
        self.tell("Emulation.setDeviceMetricsOverride", how).await;
        let how = json!({"enabled": fingers});
        self.tell("Emulation.setTouchEmulationEnabled", how).await;
    }

    /// What the person has chosen for all pages.
    pub(crate) async fn prefer(&self, dark: bool, still: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let motion = if still { "reduce" } else { "no-preference" };
        let how = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]});
        self.tell("Emulation.setEmulatedMedia", how).await;
    }

    /// Runs a script at the start of every page from now on, before anything of the page.
    pub(crate) async fn on_every_page(&self, script: &str) {
        let how = json!({"source": script});
        self.tell("Page.addScriptToEvaluateOnNewDocument", how)
            .await;
    }

    pub(crate) async fn go(&self, server: SocketAddr, path: &str) {
        let address = format!("http://{server}{path}");
        self.driver.goto(address).await.expect("the page opens");
    }

    /// Opens a page that lies on the disk.
    pub(crate) async fn file(&self, path: &Path) {
        let address = format!("file://{}", path.display());
        self.driver.goto(address).await.expect("the page opens");
    }

    pub(crate) async fn reload(&self) {
        self.driver.refresh().await.expect("the page opens again");
    }

    pub(crate) async fn path(&self) -> String {
        self.ask("location.pathname")
            .await
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// The value of an expression of the page's language.
    pub(crate) async fn ask(&self, expression: &str) -> Value {
        let answer = self
            .driver
            .execute(format!("return ({expression});"), vec![]);
        let answer = answer
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"));
        answer.json().clone()
    }

    /// The value that a promise of the page's language comes to.
    pub(crate) async fn wait_for(&self, promise: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; ({promise}).then(done, error => done(String(error)));"
        );
        let answer = self.driver.execute_async(&*script, vec![]).await;
        answer.expect("the promise is kept").json().clone()
    }

    /// What the API says of the game whose page it is.
    pub(crate) async fn game(&self) -> Value {
        let game = "fetch(`/api/v1${location.pathname}`).then(answer => answer.json())";
        self.wait_for(game).await["game"].clone()
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        let expression = format!("document.querySelector({selector:?})?.innerText ?? ''");
        self.ask(&expression)
            .await
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until an expression is true, and gives its value. It is looked at with every
    /// picture that is drawn; a page that was left meanwhile says nothing any more, so that
    /// it is asked again from time to time.
    pub(crate) async fn until(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             const late = performance.now() + 1000;
             const look = () => {{
                 let value = null;
                 try {{ value = ({expression}); }} catch {{ }}
                 if (value || performance.now() > late) done(value);
                 else requestAnimationFrame(look);
             }};
             look();"
        );
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            let value = self.driver.execute_async(&*script, vec![]).await;
            let value = value.map_or(Value::Null, |value| value.json().clone());
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
        }
        self.picture("failed").await;
        let page = self.ask("document.body.innerText").await;
        panic!("never came: {expression}\n{page}");
    }

    /// The middle of what a selector finds, once it is there and in sight.
    pub(crate) async fn middle(&self, selector: &str) -> Point {
        self.until(&format!("document.querySelector({selector:?})"))
            .await;
        let expression = format!(
            "(() => {{
                const found = document.querySelector({selector:?});
                let box = found.getBoundingClientRect();
                // What is in sight stays where it is: a place may have been measured before.
                if (box.top < 0 || box.bottom > innerHeight) {{
                    found.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
                    box = found.getBoundingClientRect();
                }}
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"
        );
        let place = self.ask(&expression).await;
        let number = |i: usize| place[i].as_f64().expect("a number");
        (number(0), number(1))
    }

    pub(crate) async fn mouse(&self, kind: &str, (x, y): Point, pressed: bool) {
        let how = json!({
            "type": kind, "x": x, "y": y, "button": "left",
            "buttons": u8::from(pressed), "clickCount": 1,
        });
        self.tell("Input.dispatchMouseEvent", how).await;
    }

    pub(crate) async fn click(&self, selector: &str) {
        let place = self.middle(selector).await;
        self.mouse("mouseMoved", place, false).await;
        self.mouse("mousePressed", place, true).await;
        self.mouse("mouseReleased", place, false).await;
    }

    /// Drags with the mouse.
    pub(crate) async fn drag(&self, start: Point, end: Point) {
        self.mouse("mouseMoved", start, false).await;
        self.mouse("mousePressed", start, true).await;
        for step in between(start, end) {
            self.mouse("mouseMoved", step, true).await;
        }
        self.mouse("mouseReleased", end, false).await;
    }

    async fn finger(&self, kind: &str, at: Option<Point>) {
        let points: Vec<Value> = at.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        let how = json!({"type": kind, "touchPoints": points});
        self.tell("Input.dispatchTouchEvent", how).await;
    }

    pub(crate) async fn tap(&self, selector: &str) {
        let place = self.middle(selector).await;
        self.finger("touchStart", Some(place)).await;
        self.finger("touchEnd", None).await;
    }

    /// Drags with a finger.
    pub(crate) async fn swipe(&self, start: Point, end: Point) {
        self.finger("touchStart", Some(start)).await;
        for step in between(start, end) {
            self.finger("touchMove", Some(step)).await;
        }
        self.finger("touchEnd", None).await;
    }

    /// Presses keys, each by the name that browsers give it: `ArrowDown`, `Enter`, `u`.
    pub(crate) async fn keys(&self, keys: &[&str]) {
        for &key in keys {
            let text = match key {
                "Enter" => "\r",
                _ if key.chars().count() == 1 => key,
                _ => "",
            };
            let code = match key {
                "Enter" => 13,
                "Escape" => 27,
                "Tab" => 9,
                "Backspace" => 8,
                "End" => 35,
                "Home" => 36,
                "ArrowLeft" => 37,
                "ArrowUp" => 38,
                "ArrowRight" => 39,
                "ArrowDown" => 40,
                _ => key
                    .bytes()
                    .next()
                    .map_or(0, |byte| u32::from(byte.to_ascii_uppercase())),
            };
            let kind = if text.is_empty() {
                "rawKeyDown"
            } else {
                "keyDown"
            };
            let how =
                json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
            self.tell("Input.dispatchKeyEvent", how).await;
            let how = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
            self.tell("Input.dispatchKeyEvent", how).await;
        }
    }

    /// What axe-core has against the page as it is now.
    pub(crate) async fn violations(&self) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let script = root.join("target/checks/axe.min.js");
        let script = std::fs::read_to_string(&script)
            .unwrap_or_else(|_| panic!("there is no axe-core; `cargo xtask test` brings it"));
        // Reading the script takes longer than asking for it.
        if self.ask("typeof axe").await == "undefined" {
            let how = json!({"expression": script});
            self.tell("Runtime.evaluate", how).await;
        }
        let how = json!({
            "expression": "axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(
                found.violations.flatMap(rule => rule.nodes.map(node =>
                    `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`))))",
            "awaitPromise": true, "returnByValue": true,
        });
        let found = self.tell("Runtime.evaluate", how).await;
        let text = found["result"]["value"].as_str();
        let text = text.unwrap_or_else(|| panic!("axe-core does not answer: {found}"));
        serde_json::from_str(text).expect("a list")
    }

    /// Keeps a picture of the page, for people to look at.
    pub(crate) async fn picture(&self, name: &str) {
        let folder = pictures();
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{name}.png"));
        self.driver.screenshot(&file).await.expect("a picture");
    }

    pub(crate) async fn close(self) {
        let _ = self.driver.clone().quit().await;
    }
}

impl Drop for Page {
    /// A test that failed doesn't wait for its browser to say goodbye, which takes two minutes:
    /// it ends with its driver.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.driver.clone().leak();
        }
    }
}

/// Where the browser is: its driver wants a whole path. What Debian has in the search path is a script that starts it and
/// doesn't end it when it is ended itself, so that every test would leave a browser behind.
fn browser() -> String {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let debian = PathBuf::from("/usr/lib/chromium");
    let mut places = std::iter::once(debian).chain(std::env::split_paths(&folders));
    let place =
        places.find_map(|folder| Some(folder.join(BROWSER)).filter(|place| place.is_file()));
    place.expect(NO_BROWSER).display().to_string()
}

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots")
}

fn between((x, y): Point, (to_x, to_y): Point) -> impl Iterator<Item = Point> {
    const STEPS: u8 = 8;
    (1..=STEPS).map(move |step| {
        let part = f64::from(step) / f64::from(STEPS);
        (x + (to_x - x) * part, y + (to_y - y) * part)
    })
}
