//! What a hostile file may cost, and the clock that watches it.

use std::time::{Duration, Instant};

use crate::error::ConvertError;

/// What a hostile file may cost.
#[derive(Clone, Debug)]
pub struct ConvertLimits {
    /// Bytes of text that are kept; the rest is cut off and the result says so.
    pub text_bytes_max: usize,
    /// Bytes that all entries of an archive may unpack to.
    pub unpacked_bytes_max: u64,
    /// Seconds of a conversion.
    pub seconds_max: f64,
    /// Memory of a child process. What runs in this process is bounded by the other limits.
    pub memory_bytes_max: u64,
    /// Elements or groups within one another.
    pub depth_max: u32,
}

impl ConvertLimits {
    /// Ample for documents that people write.
    pub const DEFAULT: ConvertLimits = ConvertLimits {
        text_bytes_max: 16 << 20,
        unpacked_bytes_max: 256 << 20,
        seconds_max: 20.0,
        memory_bytes_max: 512 << 20,
        depth_max: 512,
    };
}

/// The time that is left of a conversion.
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
            // A limit that does not fit into a clock is none.
            end: span.and_then(|span| Instant::now().checked_add(span)),
            seconds_max: limits.seconds_max,
            ticks: 0,
        }
    }

    /// Fails when the time is over. Cheap enough for every token: the clock is read now and then.
    pub(crate) fn tick(&mut self) -> Result<(), ConvertError> {
        self.ticks = self.ticks.wrapping_add(1);
        if self.ticks.is_multiple_of(1024) {
            self.check()
        } else {
            Ok(())
        }
    }

    /// Fails when the time is over.
    pub(crate) fn check(&self) -> Result<(), ConvertError> {
        match self.end {
            Some(end) if Instant::now() > end => Err(ConvertError::TimedOut {
                seconds_max: self.seconds_max,
            }),
            _ => Ok(()),
        }
    }
}
