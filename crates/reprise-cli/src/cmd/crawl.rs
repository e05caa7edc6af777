use crate::console::Console;
/// Pending
#[derive(clap::Args)]
pub(crate) struct Args {}
impl Args {
    pub(crate) fn run(&self, _: Console) -> anyhow::Result<std::process::ExitCode> {
        unimplemented!()
    }
}
