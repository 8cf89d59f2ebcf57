//! A page in Chromium: sends mouse, touch and key events, and reads what the page shows. Nothing
//! sleeps: the page itself reports when a condition is met.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use thirtyfour::cdp::Cdp;
use thirtyfour::prelude::*;

/// Longer than anything takes on a busy machine, so only a failure takes this long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A script takes longer only if its page is gone.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(5);

/// Chromium without windows, as packaged by Debian, starts three times as fast as the other one.
const BROWSERS: [&str; 2] = ["chromium-headless-shell", "chromium"];

/// Flags for a browser without prompts and background connections.
const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
];

const BROWSER_MISSING: &str =
    "these tests need chromium-headless-shell and chromedriver; `cargo xtask test` installs them";

/// Starts browsers.
pub(crate) struct Driver {
    child: Child,
    port: u16,
}

impl Driver {
    /// The driver takes a free port and then the same one of the other version of IP, which another program may have
    /// taken: then it exits.
    pub(crate) fn start() -> Driver {
        let started = (0..5).find_map(|_| Driver::try_start());
        started.expect("the driver prints its port")
    }

    fn try_start() -> Option<Driver> {
        let mut child = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect(BROWSER_MISSING);
        let output = child.stdout.take().expect("its output");
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            port.trim_end_matches('.').parse().ok()
        });
        let driver = Driver {
            child,
            port: port.unwrap_or(0),
        };
        port.map(|_| driver)
    }

    /// Opens a new browser with an empty profile and a window of this size.
    pub(crate) async fn open(&self, width: u32, height: u32) -> Page {
        let mut flags = DesiredCapabilities::chrome();
        flags.set_binary(&browser_path()).expect("a path");
        for flag in FLAGS {
            flags.add_arg(flag).expect("a flag");
        }
        let driver = WebDriver::new(format!("http://127.0.0.1:{}", self.port), flags);
        let driver = driver.await.expect("a browser");
        let timeouts = TimeoutConfiguration::new(Some(SCRIPT_TIMEOUT), Some(TIMEOUT), None);
        driver
            .update_timeouts(timeouts)
            .await
            .expect("the browser listens");
        let cdp = driver.cdp();
        let page = Page { driver, cdp };
        page.set_size(width, height, false).await;
        page
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A position in the window.
pub(crate) type Point = (f64, f64);

/// The only page of a browser.
pub(crate) struct Page {
    driver: WebDriver,
    cdp: Cdp,
}

impl Page {
    async fn send_command(&self, method: &str, params: Value) -> Value {
        let result = self.cdp.send_raw(method, params).await;
        result.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sets the page's size; with touch, it is a phone.
    pub(crate) async fn set_size(&self, width: u32, height: u32, is_touch: bool) {
        let params = json!({
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_touch,
        });
        self.send_command("Emulation.setDeviceMetricsOverride", params)
            .await;
        let params = json!({"enabled": is_touch});
        self.send_command("Emulation.setTouchEmulationEnabled", params)
            .await;
    }

    /// Sets the user's preferences for all pages.
    pub(crate) async fn set_preferences(&self, dark: bool, reduced_motion: bool) {
        let scheme = if dark { "dark" } else { "light" };
        let motion = if reduced_motion {
            "reduce"
        } else {
            "no-preference"
        };
        let params = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": motion},
        ]});
        self.send_command("Emulation.setEmulatedMedia", params)
            .await;
    }

    /// Runs a script at the start of every page from now on, before any script of the page.
    pub(crate) async fn on_every_page(&self, script: &str) {
        let params = json!({"source": script});
        self.send_command("Page.addScriptToEvaluateOnNewDocument", params)
            .await;
    }

    pub(crate) async fn goto(&self, server: SocketAddr, path: &str) {
        let address = format!("http://{server}{path}");
        self.driver.goto(address).await.expect("the page opens");
    }

    /// Opens a page from a file.
    pub(crate) async fn open_file(&self, path: &Path) {
        let address = format!("file://{}", path.display());
        self.driver.goto(address).await.expect("the page opens");
    }

    pub(crate) async fn reload(&self) {
        self.driver.refresh().await.expect("the page opens again");
    }

    pub(crate) async fn path(&self) -> String {
        self.evaluate("location.pathname")
            .await
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Evaluates a JavaScript expression.
    pub(crate) async fn evaluate(&self, expression: &str) -> Value {
        let answer = self
            .driver
            .execute(format!("return ({expression});"), vec![]);
        let answer = answer
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"));
        answer.json().clone()
    }

    /// Waits for a JavaScript promise and returns its value.
    pub(crate) async fn await_promise(&self, promise: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1]; ({promise}).then(done, error => done(String(error)));"
        );
        let answer = self.driver.execute_async(&*script, vec![]).await;
        answer.expect("the promise is kept").json().clone()
    }

    /// The game on this page, from the API.
    pub(crate) async fn game(&self) -> Value {
        let game = "fetch(`/api/v1${location.pathname}`).then(answer => answer.json())";
        self.await_promise(game).await["game"].clone()
    }

    pub(crate) async fn text(&self, selector: &str) -> String {
        let expression = format!("document.querySelector({selector:?})?.innerText ?? ''");
        self.evaluate(&expression)
            .await
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Waits until a JavaScript expression is truthy, and returns its value. The expression is
    /// evaluated in every animation frame. A script doesn't survive a navigation, so it is restarted
    /// from time to time.
    pub(crate) async fn wait_until(&self, expression: &str) -> Value {
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
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            let value = self.driver.execute_async(&*script, vec![]).await;
            let value = value.map_or(Value::Null, |value| value.json().clone());
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
        }
        self.screenshot("failed").await;
        let page = self.evaluate("document.body.innerText").await;
        panic!("timed out waiting for {expression}\n{page}");
    }

    /// Waits for the selector's element, scrolls it into view and returns its center.
    pub(crate) async fn center_of(&self, selector: &str) -> Point {
        self.wait_until(&format!("document.querySelector({selector:?})"))
            .await;
        let expression = format!(
            "(() => {{
                const found = document.querySelector({selector:?});
                let box = found.getBoundingClientRect();
                // A visible element isn't scrolled: a position may have been measured before.
                if (box.top < 0 || box.bottom > innerHeight) {{
                    found.scrollIntoView({{block: 'center', inline: 'center', behavior: 'instant'}});
                    box = found.getBoundingClientRect();
                }}
                return [box.x + box.width / 2, box.y + box.height / 2];
            }})()"
        );
        let position = self.evaluate(&expression).await;
        let number = |i: usize| position[i].as_f64().expect("a number");
        (number(0), number(1))
    }

    pub(crate) async fn mouse_event(&self, kind: &str, (x, y): Point, pressed: bool) {
        let params = json!({
            "type": kind, "x": x, "y": y, "button": "left",
            "buttons": u8::from(pressed), "clickCount": 1,
        });
        self.send_command("Input.dispatchMouseEvent", params).await;
    }

    pub(crate) async fn click(&self, selector: &str) {
        let position = self.center_of(selector).await;
        self.mouse_event("mouseMoved", position, false).await;
        self.mouse_event("mousePressed", position, true).await;
        self.mouse_event("mouseReleased", position, false).await;
    }

    /// Drags with the mouse.
    pub(crate) async fn drag(&self, start: Point, end: Point) {
        self.mouse_event("mouseMoved", start, false).await;
        self.mouse_event("mousePressed", start, true).await;
        for step in interpolate(start, end) {
            self.mouse_event("mouseMoved", step, true).await;
        }
        self.mouse_event("mouseReleased", end, false).await;
    }

    async fn touch_event(&self, kind: &str, point: Option<Point>) {
        let points: Vec<Value> = point.iter().map(|(x, y)| json!({"x": x, "y": y})).collect();
        let params = json!({"type": kind, "touchPoints": points});
        self.send_command("Input.dispatchTouchEvent", params).await;
    }

    pub(crate) async fn tap(&self, selector: &str) {
        let position = self.center_of(selector).await;
        self.touch_event("touchStart", Some(position)).await;
        self.touch_event("touchEnd", None).await;
    }

    /// Drags by touch.
    pub(crate) async fn swipe(&self, start: Point, end: Point) {
        self.touch_event("touchStart", Some(start)).await;
        for step in interpolate(start, end) {
            self.touch_event("touchMove", Some(step)).await;
        }
        self.touch_event("touchEnd", None).await;
    }

    /// Presses keys, given by their names in JavaScript: `ArrowDown`, `Enter`, `u`.
    pub(crate) async fn press_keys(&self, keys: &[&str]) {
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
            let params =
                json!({"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code});
            self.send_command("Input.dispatchKeyEvent", params).await;
            let params = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code});
            self.send_command("Input.dispatchKeyEvent", params).await;
        }
    }

    /// The violations that axe-core reports for the current page.
    pub(crate) async fn violations(&self) -> Vec<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let script = root.join("target/checks/axe.min.js");
        let script = std::fs::read_to_string(&script)
            .unwrap_or_else(|_| panic!("axe-core is missing; `cargo xtask test` installs it"));
        // Loading the script takes longer than checking for it.
        if self.evaluate("typeof axe").await == "undefined" {
            let params = json!({"expression": script});
            self.send_command("Runtime.evaluate", params).await;
        }
        let params = json!({
            "expression": "axe.run(document, {resultTypes: ['violations']}).then(found => JSON.stringify(
                found.violations.flatMap(rule => rule.nodes.map(node =>
                    `${rule.id}: ${node.html.slice(0, 200)} (${node.failureSummary})`))))",
            "awaitPromise": true, "returnByValue": true,
        });
        let found = self.send_command("Runtime.evaluate", params).await;
        let text = found["result"]["value"].as_str();
        let text = text.unwrap_or_else(|| panic!("axe-core didn't respond: {found}"));
        serde_json::from_str(text).expect("a list")
    }

    /// Saves a screenshot of the page, for review by a human.
    pub(crate) async fn screenshot(&self, name: &str) {
        let folder = screenshot_dir();
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join(format!("{name}.png"));
        self.driver.screenshot(&file).await.expect("a picture");
    }

    pub(crate) async fn close(self) {
        let _ = self.driver.clone().quit().await;
    }
}

impl Drop for Page {
    /// A failed test doesn't wait for its browser to quit, which takes two minutes: the browser ends
    /// with its driver.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let _ = self.driver.clone().leak();
        }
    }
}

/// The full path of the browser, which its driver needs. In the search path, Debian has a script that starts the browser
/// but doesn't stop it when it is killed, so that every test would leave a browser running.
fn browser_path() -> String {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let debian = PathBuf::from("/usr/lib/chromium");
    let directories: Vec<_> = std::iter::once(debian)
        .chain(std::env::split_paths(&folders))
        .collect();
    let mut paths = BROWSERS
        .iter()
        .flat_map(|name| directories.iter().map(move |folder| folder.join(name)));
    let path = paths.find(|path| path.is_file());
    path.expect(BROWSER_MISSING).display().to_string()
}

fn screenshot_dir() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots")
}

fn interpolate((x, y): Point, (to_x, to_y): Point) -> impl Iterator<Item = Point> {
    const STEPS: u8 = 8;
    (1..=STEPS).map(move |step| {
        let part = f64::from(step) / f64::from(STEPS);
        (x + (to_x - x) * part, y + (to_y - y) * part)
    })
}
