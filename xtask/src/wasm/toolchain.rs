//! The compiler for WebAssembly.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

use super::TARGET;

/// A compiler for WebAssembly.
#[derive(Debug)]
pub(super) enum Toolchain {
    /// The compiler that builds everything else also has the target.
    Installed,
    /// Debian's compiler, unpacked into the build directory. It has the sources of the standard library,
    /// but no linker.
    Debian {
        /// The directory that it is unpacked into.
        root: PathBuf,
        /// The linker of the installed compiler.
        linker: PathBuf,
    },
}

impl Toolchain {
    /// Finds a compiler: the installed one, or Debian's at `debian`.
    pub(super) fn find(debian: &Path) -> Result<Option<Toolchain>> {
        let library = rustc(&["--print", "target-libdir", "--target", TARGET])?;
        if Path::new(&library).is_dir() {
            return Ok(Some(Toolchain::Installed));
        }
        let sysroot = rustc(&["--print", "sysroot"])?;
        let host = rustc(&["--print", "host-tuple"])?;
        let tools = Path::new(&sysroot).join("lib/rustlib").join(host);
        let linker = tools.join("bin/rust-lld");
        let is_complete = compiler(debian).is_file() && linker.is_file();
        Ok(is_complete.then(|| Toolchain::Debian {
            root: debian.to_owned(),
            linker,
        }))
    }

    /// Returns the command that builds crates for WebAssembly into `directory`, without the crates.
    pub(super) fn build(&self, directory: &Path) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command
            .args(["build", "--release", "--locked", "--target", TARGET])
            .env("CARGO_TARGET_DIR", directory);
        if let Toolchain::Debian { root, linker } = self {
            command
                .arg("-Zbuild-std=std,panic_abort")
                // Lets a stable compiler build the standard library.
                .env("RUSTC_BOOTSTRAP", "1")
                .env("RUSTC", compiler(root))
                .env("LD_LIBRARY_PATH", library_path(root))
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker);
        }
        command
    }
}

/// Returns the path of Debian's compiler that is unpacked at `root`.
fn compiler(root: &Path) -> PathBuf {
    root.join("usr/bin/rustc")
}

/// Returns the directories with the libraries of Debian's compiler, before those of the environment.
fn library_path(root: &Path) -> OsString {
    let library = root.join("usr/lib");
    let below = fs::read_dir(&library).into_iter().flatten().flatten();
    let is_multiarch = |path: &PathBuf| path.to_string_lossy().contains("-linux-");
    let mut paths: Vec<PathBuf> = below
        .map(|entry| entry.path())
        .filter(is_multiarch)
        .collect();
    paths.sort();
    paths.push(library);
    let inherited = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    paths.extend(env::split_paths(&inherited).filter(|path| !path.as_os_str().is_empty()));
    env::join_paths(&paths).unwrap_or_else(|_| paths[0].clone().into())
}

/// Runs the installed compiler and returns the line that it prints.
fn rustc(args: &[&str]) -> Result<String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .args(args)
        .output()
        .context("cannot run rustc")?;
    ensure!(
        output.status.success(),
        "rustc {}: {}",
        args.join(" "),
        String::from_utf8_lossy(&output.stderr)
    );
    let line = String::from_utf8(output.stdout).context("the output of rustc is not UTF-8")?;
    Ok(line.trim_end().to_owned())
}
