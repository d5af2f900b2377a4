//! Drives one call from the queue to the store; the fleet
