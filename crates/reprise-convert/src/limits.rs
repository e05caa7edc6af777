//! The limits of a conversion, and its clock.

use std::time::{Duration, Instant};

use crate::error::ConvertError;

/// The limits of one conversion, against hostile documents.
#[derive(Clone, Debug)]
pub struct ConvertLimits {
    /// The most bytes of text. More text is cut off, and [`Plain::truncated`](crate::Plain::truncated) is set.
    pub text_bytes_max: usize,
    /// The most bytes that all entries of an archive together may unpack to.
    pub unpacked_bytes_max: u64,
    /// The most seconds of a conversion.
    pub seconds_max: f64,
    /// The most memory of a child process, in bytes. The other limits bound the memory of this process.
    pub memory_bytes_max: u64,
    /// The most elements or groups within each other.
    pub depth_max: u32,
}

impl ConvertLimits {
    /// Limits that ordinary documents do not reach.
    pub const DEFAULT: ConvertLimits = ConvertLimits {
        text_bytes_max: 16 << 20,
        unpacked_bytes_max: 256 << 20,
        seconds_max: 20.0,
        memory_bytes_max: 512 << 20,
        depth_max: 512,
    };
}

/// The clock of a conversion.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    end: Option<Instant>,
    seconds_max: f64,
    ticks: u32,
}

impl Clock {
    pub(crate) fn start(limits: &ConvertLimits) -> Clock {
        let span = Duration::try_from_secs_f64(limits.seconds_max.max(0.0)).ok();
        Clock {
            // A limit that the clock cannot represent is not enforced.
            end: span.and_then(|span| Instant::now().checked_add(span)),
            seconds_max: limits.seconds_max,
            ticks: 0,
        }
    }

    /// Fails if the time is over. Reads the clock once in 1,024 calls, so it is cheap enough for every token.
    pub(crate) fn tick(&mut self) -> Result<(), ConvertError> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(1024) {
            self.check()
        } else {
            Ok(())
        }
    }

    /// Fails if the time is over.
    pub(crate) fn check(&self) -> Result<(), ConvertError> {
        match self.end {
            Some(end) if Instant::now() > end => Err(ConvertError::TimedOut {
                seconds_max: self.seconds_max,
            }),
            _ => Ok(()),
        }
    }
}
