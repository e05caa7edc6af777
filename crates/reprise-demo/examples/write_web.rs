//! Writes a web for benchmarks: `write_web DIR SCALE SEED`.

use std::path::Path;
use std::{env, io};

use reprise_demo::{Config, Role, write_web};

#[allow(clippy::print_stdout, reason = "the example prints its result")]
fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [directory, scale, seed] = arguments.as_slice() else {
        return Err(io::Error::other("usage: write_web DIR SCALE SEED"));
    };
    let config = Config {
        seed: seed.parse().map_err(io::Error::other)?,
        scale: scale.parse().map_err(io::Error::other)?,
    };
    let planted = write_web(&config, Path::new(directory))?;
    for role in Role::ALL {
        println!("{:16} {}", role.as_str(), planted.with_role(role).count());
    }
    println!("{:16} {}", "files", planted.files.len());
    println!("{:16} {}", "records", planted.records);
    println!("{:16} {}", "record bytes", planted.record_bytes);
    println!("{:16} {}", "body bytes", planted.body_bytes);
    Ok(())
}
