//! A log that tests can read.

use std::fmt;
use std::sync::{Arc, Mutex};

use tracing::field::Field;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata};

/// Everything that is logged, at any level.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<String>>);

impl Log {
    pub(crate) fn text(&self) -> String {
        self.0.lock().unwrap().clone()
    }

    fn append(&self, field: &Field, value: &dyn fmt::Debug) {
        let mut text = self.0.lock().unwrap();
        text.push_str(&format!("{}={value:?} ", field.name()));
    }
}

impl tracing::Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut |field: &Field, value: &dyn fmt::Debug| self.append(field, value));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut |field: &Field, value: &dyn fmt::Debug| self.append(field, value));
    }

    fn event(&self, event: &Event<'_>) {
        let level = event.metadata().level();
        self.0.lock().unwrap().push_str(&format!("\n{level} "));
        event.record(&mut |field: &Field, value: &dyn fmt::Debug| self.append(field, value));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
