//! How documents become plain text: the flags that several commands share, and the child process that
//! reads PDFs.

use std::ffi::OsString;
use std::io::{Read, Write, stdin, stdout};
use std::process::ExitCode;

use anyhow::Context;
use reprise_engine::convert::{ConvertLimits, Converter, PdfTool, pdf_text};

use crate::exit::Usage;

/// How documents become plain text.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct ConvertFlags {
    /// Keep the main content of HTML only, without menus and what else surrounds it
    #[arg(long)]
    main_content: bool,
    /// Read PDFs with the program pdftotext; what it makes of them depends on its version
    #[arg(long)]
    pdftotext: bool,
}

/// The command, not listed, by which this program reads a PDF in a process of its own.
const PDF_COMMAND: &str = "pdf-text";

impl ConvertFlags {
    /// The converter, or what is wrong with the flags.
    pub(crate) fn converter(self) -> anyhow::Result<Converter> {
        let pdf = if self.pdftotext {
            PdfTool::pdftotext().ok_or_else(|| {
                Usage("pdftotext is not installed; Debian has it in poppler-utils".to_owned())
            })?
        } else {
            PdfTool::Program {
                program: std::env::current_exe().context("cannot find this program's own file")?,
                arguments: vec![OsString::from(PDF_COMMAND)],
            }
        };
        Ok(Converter {
            limits: ConvertLimits::DEFAULT,
            main_content: self.main_content,
            pdf,
        })
    }
}

/// Print the text of the PDF at standard input.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> anyhow::Result<ExitCode> {
    let mut bytes = Vec::new();
    stdin().lock().read_to_end(&mut bytes)?;
    let text = pdf_text(&bytes)?;
    stdout().lock().write_all(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
