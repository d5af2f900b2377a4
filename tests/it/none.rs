//! Nothing: this member exists for its test binary.
