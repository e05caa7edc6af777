//! A small HTTP server on this machine. Every connection has a thread, and every request is logged.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The answer to a request.
pub(crate) enum Reply {
    /// A complete response, after which the connection stays open.
    Keep(Vec<u8>),
    /// These bytes, after which the connection is closed.
    Close(Vec<u8>),
    /// These bytes, then another byte from time to time.
    Drip(Vec<u8>),
    /// These bytes, then a gigabyte.
    Flood(Vec<u8>),
    /// No byte at all.
    Stall,
}

/// A request: the path with its query, and the header in lower case.
pub(crate) struct Request<'a> {
    pub(crate) path: &'a str,
    pub(crate) head: &'a str,
    /// The number of requests for this path, including this one.
    pub(crate) times: usize,
}

type Handler = dyn Fn(&Request<'_>) -> Reply + Send + Sync;

pub(crate) struct Server {
    pub(crate) port: u16,
    log: Arc<Mutex<Vec<String>>>,
    is_over: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn start(handler: impl Fn(&Request<'_>) -> Reply + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let log = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let handler: Arc<Handler> = Arc::new(handler);
        let (own_log, own_over) = (log.clone(), is_over.clone());
        thread::spawn(move || {
            // No test opens this many connections.
            for stream in listener.incoming().take(5000) {
                if own_over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { return };
                let (handler, log, is_over) = (handler.clone(), own_log.clone(), own_over.clone());
                thread::spawn(move || serve(stream, &*handler, &log, &is_over));
            }
        });
        Server { port, log, is_over }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// Returns all requested paths, in order.
    pub(crate) fn log(&self) -> Vec<String> {
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn times(&self, path: &str) -> usize {
        self.log().iter().filter(|logged| *logged == path).count()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        // This wakes the listener.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

fn serve(mut stream: TcpStream, handler: &Handler, log: &Mutex<Vec<String>>, is_over: &AtomicBool) {
    stream.set_nodelay(true).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .unwrap();
    while let Some(head) = read_head(&mut stream) {
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let times = {
            let mut log = log.lock().unwrap();
            log.push(path.clone());
            log.iter().filter(|logged| **logged == path).count()
        };
        let request = Request {
            path: &path,
            head: &head.to_ascii_lowercase(),
            times,
        };
        let is_open = match handler(&request) {
            Reply::Keep(bytes) => stream.write_all(&bytes).is_ok(),
            Reply::Close(bytes) => {
                let _ = stream.write_all(&bytes);
                false
            }
            Reply::Stall => {
                wait(is_over, Duration::from_secs(30));
                false
            }
            Reply::Drip(bytes) => {
                let _ = stream.write_all(&bytes);
                for _ in 0..200 {
                    if is_over.load(Ordering::Relaxed) || stream.write_all(b"x").is_err() {
                        break;
                    }
                    thread::sleep(Duration::from_millis(100));
                }
                false
            }
            Reply::Flood(bytes) => {
                let _ = stream.write_all(&bytes);
                let block = vec![b'z'; 1 << 16];
                for _ in 0..1 << 14 {
                    if stream.write_all(&block).is_err() {
                        break;
                    }
                }
                false
            }
        };
        if !is_open {
            return;
        }
    }
}

fn wait(is_over: &AtomicBool, time: Duration) {
    let mut left = time.as_millis() / 20;
    while left > 0 && !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(20));
        left -= 1;
    }
}

fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).ok()? == 0 || head.len() > 1 << 16 {
            return None;
        }
        head.push(byte[0]);
    }
    String::from_utf8(head).ok()
}

/// Returns a response with these header lines and body.
pub(crate) fn response(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    bytes.extend(body);
    bytes
}

pub(crate) fn html(body: &str) -> Reply {
    Reply::Keep(response(
        "200 OK",
        "Content-Type: text/html; charset=utf-8\r\n",
        body.as_bytes(),
    ))
}

pub(crate) fn text(body: &str) -> Reply {
    Reply::Keep(response(
        "200 OK",
        "Content-Type: text/plain\r\n",
        body.as_bytes(),
    ))
}

pub(crate) fn not_found() -> Reply {
    Reply::Keep(response("404 Not Found", "", b"no such page"))
}

pub(crate) fn redirect(to: &str) -> Reply {
    Reply::Keep(response("302 Found", &format!("Location: {to}\r\n"), b""))
}
