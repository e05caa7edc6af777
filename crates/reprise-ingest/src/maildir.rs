//! Maildir: a directory with `cur`, `new` and `tmp`, in which each message is a file.

use std::path::Path;

/// Returns true if a directory is a Maildir. Only the files in its `cur` and `new` are messages.
pub(crate) fn is_maildir(directory: &Path) -> bool {
    ["cur", "new", "tmp"]
        .iter()
        .all(|name| directory.join(name).is_dir())
}

/// Returns true if a file is a message in a Maildir.
pub(crate) fn is_message(file: &Path) -> bool {
    let Some(folder) = file.parent() else {
        return false;
    };
    let is_folder = folder
        .file_name()
        .is_some_and(|name| name == "cur" || name == "new");
    is_folder && folder.parent().is_some_and(is_maildir)
}
