//! Outside programs where they can't be run yet: every start is refused with a sentence.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use crate::dialogue::Speaker;
pub(crate) use crate::exchange::{Ended, Manner, Trouble};
use crate::player::{Fault, Mishap};
use crate::spec::Program;

const REFUSED: &str = "outside programs can't play on this system yet; bots of noughts can";

/// There is none.
pub(crate) enum Process {}

impl Process {
    pub(crate) fn start(_: &Program, _: &str, _: Option<&Path>) -> Result<Process, Fault> {
        Err(Fault::new(Mishap::Start, REFUSED))
    }

    pub(crate) fn record(&mut self, _: Option<Speaker>) {
        match *self {}
    }

    pub(crate) fn new_turn(&mut self) {
        match *self {}
    }

    pub(crate) fn say(&mut self, _: &str, _: Instant) -> Result<(), Trouble> {
        match *self {}
    }

    pub(crate) fn line(&mut self, _: Instant) -> Result<String, Trouble> {
        match *self {}
    }

    pub(crate) fn line_at_hand(&mut self) -> Result<Option<String>, Trouble> {
        match *self {}
    }

    pub(crate) fn line_in_hand(&mut self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn half_a_line(&self) -> Option<String> {
        match *self {}
    }

    pub(crate) fn end(&mut self, _: Manner) -> Ended {
        match *self {}
    }
}

pub(crate) fn look_for(program: &Program) -> Result<(), String> {
    Err(format!("{} cannot be run: {REFUSED}", program.command))
}

/// Nothing is needed where no outside bot can be started.
pub fn allow_many_files() {}

/// Nothing is needed where no outside bot can be started.
pub fn set_launcher(_: Vec<OsString>) {}

/// Outside bots can't be started here.
#[must_use]
pub fn launch_bot() -> u8 {
    eprintln!("{REFUSED}");
    2
}

/// Outside bots can't be started here.
#[must_use]
pub fn launch_if_asked() -> Option<ExitCode> {
    None
}
