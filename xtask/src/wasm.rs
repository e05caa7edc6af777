//! Builds all pure crates and the module of `reprise-wasm` for WebAssembly, and compares the module with
//! native code in Node.
//!
//! - [`toolchain`]: the compiler: the one of rustup if it has the target, otherwise Debian's.
//! - [`debian`]: downloads Debian's compiler into the build directory.

mod debian;
mod toolchain;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::layers;
use crate::workspace::{Workspace, cargo};
use toolchain::Toolchain;

/// The target of all builds.
const TARGET: &str = "wasm32-unknown-unknown";
/// The crate of the module.
const MODULE: &str = "reprise-wasm";
/// The directory of the tests in Node, relative to the root.
const TESTS: &str = "crates/reprise-wasm/tests/node";

/// Downloads a compiler for WebAssembly if it is missing.
pub(crate) fn setup(root: &Path) -> Result<()> {
    let build = BuildDirectory::of(root)?;
    if Toolchain::find(&build.toolchain())?.is_none() {
        debian::download(&build.toolchain())?;
        build.require_toolchain()?;
    }
    Ok(())
}

/// Returns the name of a tool that [`test`] needs and that is missing.
pub(crate) fn missing(root: &Path) -> Result<Option<&'static str>> {
    let build = BuildDirectory::of(root)?;
    if Toolchain::find(&build.toolchain())?.is_none() {
        return Ok(Some("a compiler for WebAssembly"));
    }
    let node = Command::new("node")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    let has_node = node.is_ok_and(|status| status.success());
    Ok((!has_node).then_some("Node"))
}

/// Builds everything and runs the tests in Node.
pub(crate) fn test(root: &Path) -> Result<()> {
    let build = BuildDirectory::of(root)?;
    let toolchain = build.require_toolchain()?;
    build_pure_crates(root, &toolchain, &build)?;
    build_module(root, &toolchain, &build)?;
    let native = build_native(root, &build)?;
    let mut node = Command::new("node");
    node.arg("--test")
        .arg(format!("{TESTS}/reprise.test.mjs"))
        .env("REPRISE_WASM", build.module())
        .env("REPRISE_NATIVE", native);
    run(root, &mut node)
}

/// Builds the module and prints its size and its speed.
pub(crate) fn speed(root: &Path) -> Result<()> {
    let build = BuildDirectory::of(root)?;
    build_module(root, &build.require_toolchain()?, &build)?;
    let mut node = Command::new("node");
    node.arg(format!("{TESTS}/speed.mjs")).arg(build.module());
    run(root, &mut node)
}

fn build_pure_crates(root: &Path, toolchain: &Toolchain, build: &BuildDirectory) -> Result<()> {
    let workspace = Workspace::read(root)?;
    let mut command = toolchain.build(&build.wasm());
    command.arg("--all-features");
    for one in layers::pure_crates(&workspace) {
        command.args(["-p", &one.name]);
    }
    run(root, &mut command)
}

/// Builds the module. It is built alone, because features of other crates would change it.
fn build_module(root: &Path, toolchain: &Toolchain, build: &BuildDirectory) -> Result<()> {
    run(
        root,
        toolchain.build(&build.wasm()).args(["-p", MODULE, "--lib"]),
    )
}

/// Builds the program that the module is compared with, and returns its path.
fn build_native(root: &Path, build: &BuildDirectory) -> Result<PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["build", "--locked", "-p", MODULE, "--example", "native"]);
    run(root, command.env("CARGO_TARGET_DIR", &build.0))?;
    let name = format!("native{}", std::env::consts::EXE_SUFFIX);
    Ok(build.0.join("debug/examples").join(name))
}

/// Runs a command in `root`. Its output goes to the terminal.
fn run(root: &Path, command: &mut Command) -> Result<()> {
    let name = command.get_program().display().to_string();
    let status = command
        .current_dir(root)
        .status()
        .with_context(|| format!("cannot run {name}"))?;
    ensure!(status.success(), "{name} failed: {status}");
    Ok(())
}

/// The build directory of the workspace.
struct BuildDirectory(PathBuf);

impl BuildDirectory {
    /// Asks cargo for the build directory of the workspace at `root`.
    fn of(root: &Path) -> Result<BuildDirectory> {
        let args = ["metadata", "--locked", "--no-deps", "--format-version", "1"];
        let metadata: Value =
            serde_json::from_str(&cargo(root, &args)?).context("cargo metadata is not JSON")?;
        let directory = metadata["target_directory"]
            .as_str()
            .context("cargo metadata names no build directory")?;
        Ok(BuildDirectory(directory.into()))
    }

    /// Returns the directory of Debian's compiler.
    fn toolchain(&self) -> PathBuf {
        self.0.join("wasm-toolchain")
    }

    /// Finds a compiler for WebAssembly.
    fn require_toolchain(&self) -> Result<Toolchain> {
        let found = Toolchain::find(&self.toolchain())?;
        found.with_context(|| {
            format!(
                "a compiler with the target {TARGET}, or its linker, is missing; run `make setup`"
            )
        })
    }

    /// Returns the build directory for WebAssembly. It is separate because the compiler may differ.
    fn wasm(&self) -> PathBuf {
        self.0.join("wasm")
    }

    /// Returns the path of the module.
    fn module(&self) -> PathBuf {
        self.wasm().join(TARGET).join("release/reprise_wasm.wasm")
    }
}
