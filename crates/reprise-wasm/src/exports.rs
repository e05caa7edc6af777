//! The functions that JavaScript calls. The documentation of the crate describes how.

#![expect(
    unsafe_code,
    reason = "`no_mangle` gives functions their names in the module"
)]

use std::cell::RefCell;
use std::ptr;

use crate::module::Module;

thread_local! {
    /// A WebAssembly module has one thread.
    static MODULE: RefCell<Module> = const { RefCell::new(Module::new()) };
}

fn with_module<R>(call: impl FnOnce(&mut Module) -> R) -> R {
    MODULE.with_borrow_mut(call)
}

/// Returns the version of this interface. It changes when a function, request or answer changes.
// SAFETY: only this crate exports names that begin with `reprise_`, and each of them once. This also holds
// for the functions below.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_version() -> u32 {
    1
}

/// Makes room for a request of `length` bytes and returns its address, or 0 if there is not enough memory.
/// The output of the last call becomes invalid.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_input(length: u32) -> *mut u8 {
    with_module(|module| {
        let room = module.input(length as usize);
        room.map_or(ptr::null_mut(), <[u8]>::as_mut_ptr)
    })
}

/// Returns the address of the output: the answer or the error message of the last call.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_output() -> *const u8 {
    with_module(|module| module.output().as_ptr())
}

/// Returns the length of the output in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_output_length() -> u32 {
    with_module(|module| module.output().len() as u32)
}

/// Cuts a text into chunks.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_chunks() -> u32 {
    with_module(Module::chunks)
}

/// Creates a checker.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_create_checker() -> u32 {
    with_module(Module::create_checker)
}

/// Checks a page with a checker.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_check(checker: u32) -> u32 {
    with_module(|module| module.check(checker))
}

/// Frees a checker.
#[unsafe(no_mangle)]
pub extern "C" fn reprise_free_checker(checker: u32) -> u32 {
    with_module(|module| module.free_checker(checker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_functions_share_one_module() {
        assert_eq!(reprise_version(), 1);
        let request = b"\0\0\0\0\0\0\0\0\x05\0\0\0other\x01\0\0\0a";
        let room = reprise_input(request.len() as u32);
        // SAFETY: `room` is the address of a buffer of this length, which is not used meanwhile.
        unsafe { ptr::copy_nonoverlapping(request.as_ptr(), room, request.len()) };
        assert_eq!(reprise_chunks(), 0);
        assert_eq!(reprise_output_length(), 36);
        // SAFETY: the output has 36 bytes and is valid until the next call.
        let record = unsafe { std::slice::from_raw_parts(reprise_output(), 36) };
        assert_eq!(record[4..8], [1, 0, 0, 0]);
        assert_eq!(reprise_create_checker(), 1);
        assert_eq!(reprise_check(1), 1);
        assert_eq!(reprise_free_checker(1), 1);
    }
}
