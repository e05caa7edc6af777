//! Opens connections, to checked addresses only.
//!
//! A name is looked up once, immediately before connecting, and the connection goes to the address that was checked.
//! A second look-up could return another address after the check, so this module makes none.

use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Duration, Instant, timeout_at};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};
use url::{Host, Url};

use crate::address::is_public;
use crate::error::FetchError;

/// A plain or encrypted connection.
pub(crate) trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}
impl<S: AsyncRead + AsyncWrite + Unpin + Send> Stream for S {}

/// An open connection to a server.
pub(crate) struct Connection {
    pub(crate) stream: Box<dyn Stream>,
    pub(crate) ip: IpAddr,
}

impl Connection {
    /// Returns true if the connection is open and there is nothing to read. Only then are the next bytes the answer to
    /// the next request.
    pub(crate) async fn is_quiet(&mut self) -> bool {
        let mut byte = [0];
        let mut room = ReadBuf::new(&mut byte);
        poll_fn(|context| {
            Poll::Ready(
                Pin::new(&mut *self.stream)
                    .poll_read(context, &mut room)
                    .is_pending(),
            )
        })
        .await
    }
}

/// Opens connections.
#[derive(Clone)]
pub(crate) struct Connector {
    tls: TlsConnector,
    allow_private: bool,
    pub(crate) user_agent: Arc<str>,
}

impl Connector {
    /// Creates a connector. The caller has checked that `user_agent` has no control characters, which could add lines
    /// to the header.
    pub(crate) fn new(user_agent: &str, allow_private: bool) -> io::Result<Connector> {
        let roots = RootCertStore {
            roots: webpki_roots::TLS_SERVER_ROOTS.to_vec(),
        };
        let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Connector {
            tls: TlsConnector::from(Arc::new(config)),
            allow_private,
            user_agent: user_agent.into(),
        })
    }

    /// Connects to the first address that is allowed and answers.
    pub(crate) async fn connect(
        &self,
        url: &Url,
        time: Duration,
    ) -> Result<Connection, FetchError> {
        let deadline = Instant::now() + time;
        let addresses = self.addresses(url, deadline).await?;
        let mut failure = FetchError::Timeout;
        for address in addresses {
            match timeout_at(deadline, TcpStream::connect(address)).await {
                Ok(Ok(stream)) => return self.secured(url, stream, address.ip(), deadline).await,
                Ok(Err(error)) => failure = FetchError::Connect(error),
                Err(_) => return Err(FetchError::Timeout),
            }
        }
        Err(failure)
    }

    /// Returns the allowed addresses of a URL's host, at least one.
    async fn addresses(&self, url: &Url, deadline: Instant) -> Result<Vec<SocketAddr>, FetchError> {
        let port = url.port_or_known_default().ok_or(FetchError::Url)?;
        let all: Vec<SocketAddr> = match url.host().ok_or(FetchError::Url)? {
            Host::Ipv4(address) => vec![SocketAddr::from((address, port))],
            Host::Ipv6(address) => vec![SocketAddr::from((address, port))],
            Host::Domain(name) => match timeout_at(deadline, lookup_host((name, port))).await {
                Ok(Ok(found)) => found.collect(),
                Ok(Err(error)) => return Err(FetchError::Resolve(error)),
                Err(_) => return Err(FetchError::Timeout),
            },
        };
        let Some(first) = all.first().map(SocketAddr::ip) else {
            return Err(FetchError::Resolve(io::ErrorKind::NotFound.into()));
        };
        let allowed: Vec<SocketAddr> = all
            .into_iter()
            .filter(|address| self.allow_private || is_public(address.ip()))
            .collect();
        if allowed.is_empty() {
            return Err(FetchError::PrivateAddress(first));
        }
        Ok(allowed)
    }

    async fn secured(
        &self,
        url: &Url,
        stream: TcpStream,
        ip: IpAddr,
        deadline: Instant,
    ) -> Result<Connection, FetchError> {
        let _ = stream.set_nodelay(true);
        if url.scheme() != "https" {
            return Ok(Connection {
                stream: Box::new(stream),
                ip,
            });
        }
        let name = match url.host().ok_or(FetchError::Url)? {
            Host::Domain(name) => {
                ServerName::try_from(name.to_owned()).map_err(|_| FetchError::Url)?
            }
            Host::Ipv4(address) => ServerName::IpAddress(IpAddr::V4(address).into()),
            Host::Ipv6(address) => ServerName::IpAddress(IpAddr::V6(address).into()),
        };
        match timeout_at(deadline, self.tls.connect(name, stream)).await {
            Ok(Ok(stream)) => Ok(Connection {
                stream: Box::new(stream),
                ip,
            }),
            Ok(Err(error)) => Err(FetchError::Tls(error)),
            Err(_) => Err(FetchError::Timeout),
        }
    }
}
