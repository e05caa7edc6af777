//! Downloads Debian's compiler for WebAssembly. The packages are unpacked, not installed: installed, they
//! would conflict with other compilers.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// The compiler, and the sources of the standard library. The numbers in the names of the packages that
/// these depend on change with each release.
const PACKAGES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// Downloads the compiler and all packages that it needs and that are not installed, and unpacks them to
/// `destination`.
pub(super) fn download(destination: &Path) -> Result<()> {
    let aside = destination.with_extension("part");
    remove(&aside)?;
    fs::create_dir_all(&aside).with_context(|| format!("cannot create {}", aside.display()))?;
    // The list of packages may be missing or too old.
    let downloaded = download_packages(&aside).or_else(|_| {
        apt(&aside, &["update"])?;
        download_packages(&aside)
    });
    let unpacked = downloaded.and_then(|()| unpack(&aside));
    if let Err(error) = unpacked {
        remove(&aside)?;
        return Err(error);
    }
    remove(destination)?;
    fs::rename(&aside, destination)
        .with_context(|| format!("cannot create {}", destination.display()))
}

/// Downloads the packages into `directory`.
fn download_packages(directory: &Path) -> Result<()> {
    let mut simulate = vec!["--simulate", "--no-install-recommends", "install"];
    simulate.extend(PACKAGES);
    let missing = apt(directory, &simulate)?;
    let mut download = vec!["download"];
    download.extend(packages_to_install(&missing));
    ensure!(
        PACKAGES.iter().all(|name| download.contains(name)),
        "apt-get has no packages {}, or they are installed",
        PACKAGES.join(" and ")
    );
    apt(directory, &download).map(drop)
}

/// Returns the names of the packages in the output of `apt-get --simulate install`. The line of a package
/// is `Inst NAME (VERSION ...)`.
fn packages_to_install(output: &str) -> impl Iterator<Item = &str> {
    output.lines().filter_map(|line| {
        let name = line.strip_prefix("Inst ")?;
        name.split_whitespace().next()
    })
}

/// Unpacks all packages in `directory` and deletes them, with all files that a build does not need.
fn unpack(directory: &Path) -> Result<()> {
    for package in entries(directory)? {
        if package.extension() == Some(OsStr::new("deb")) {
            let mut command = Command::new("dpkg-deb");
            output(command.arg("--extract").arg(&package).arg(directory))?;
            remove(&package)?;
        }
    }
    remove(&directory.join("usr/share"))?;
    // The sources of the compiler and its tools are ten times larger than those of the library.
    for sources in entries(&directory.join("usr/src"))? {
        for part in entries(&sources)? {
            if part.file_name() != Some(OsStr::new("library")) {
                remove(&part)?;
            }
        }
    }
    Ok(())
}

/// Runs `apt-get` in `directory` and returns its output.
fn apt(directory: &Path, args: &[&str]) -> Result<String> {
    let mut command = Command::new("apt-get");
    // The unprivileged user that downloads for root may not be allowed to write here.
    command
        .args(["-qq", "-o", "APT::Sandbox::User=root"])
        .args(args)
        .env("LC_ALL", "C")
        .current_dir(directory);
    output(&mut command)
}

/// Runs a command and returns its standard output.
fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().display().to_string();
    let output = command
        .output()
        .with_context(|| format!("cannot run {name}"))?;
    ensure!(
        output.status.success(),
        "{name} failed: {}",
        String::from_utf8_lossy(&output.stderr).trim_end()
    );
    String::from_utf8(output.stdout).with_context(|| format!("the output of {name} is not UTF-8"))
}

/// Returns the paths in a directory.
fn entries(directory: &Path) -> Result<Vec<PathBuf>> {
    let read = || {
        fs::read_dir(directory)?
            .map(|entry| Ok(entry?.path()))
            .collect()
    };
    let entries: std::io::Result<Vec<PathBuf>> = read();
    entries.with_context(|| format!("cannot read {}", directory.display()))
}

/// Removes a file or a directory if it exists.
fn remove(path: &Path) -> Result<()> {
    let is_directory = match path.symlink_metadata() {
        Ok(metadata) => metadata.is_dir(),
        Err(_) => return Ok(()),
    };
    let removed = if is_directory {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    removed.with_context(|| format!("cannot remove {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::packages_to_install;

    #[test]
    fn packages_are_those_that_would_be_installed() {
        let output = "\
Remv other [1.0]
Inst libllvm22 (1:22.1.8-1 Debian:12 [amd64])
Inst rustc-web [1.80] (1.96.0 Debian:12 [amd64])
Conf libllvm22 (1:22.1.8-1 Debian:12 [amd64])
";
        let names: Vec<&str> = packages_to_install(output).collect();
        assert_eq!(names, ["libllvm22", "rustc-web"]);
    }
}
