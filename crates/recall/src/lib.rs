//! The one binary: config, wiring, HTTP, commands, evaluation
