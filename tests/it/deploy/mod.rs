//! The files an operator starts Recall with, read as they will be read.

mod compose;
mod container;
