//! The least HTTP client that can post: one connection kept open, so that what is measured is the door and not its caller.

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A connection to a door.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) async fn connect(port: u16) -> std::io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream) })
    }

    /// Posts a JSON body; status and body of the answer.
    pub(crate) async fn post(&mut self, path: &str, body: &str) -> std::io::Result<(u16, String)> {
        let length = body.len();
        self.ask(&format!(
            "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
        ))
        .await
    }

    /// Gets a page; its status and body.
    pub(crate) async fn get(&mut self, path: &str) -> std::io::Result<(u16, String)> {
        self.ask(&format!("GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")).await
    }

    async fn ask(&mut self, request: &str) -> std::io::Result<(u16, String)> {
        self.stream.write_all(request.as_bytes()).await?;
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.stream.read_line(&mut head).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse().ok()).flatten()
        });
        let mut body = vec![0; length.unwrap_or_default()];
        self.stream.read_exact(&mut body).await?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }
}
