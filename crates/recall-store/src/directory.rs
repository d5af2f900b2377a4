//! The data directory of an embedded store: one process works on it, and says in the lock file where it can be reached.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::error::unavailable;

/// The database inside a data directory.
pub(crate) fn database(directory: &Path) -> PathBuf {
    directory.join("recall.db")
}

/// Held by the one process that works on a directory; the system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct DirectoryLock {
    _worker: File,
}

impl DirectoryLock {
    /// Takes the directory, making it where it is not there, and notes the address other commands can go through.
    pub(crate) fn take(directory: &Path, address: &str) -> Result<Self, StoreError> {
        std::fs::create_dir_all(directory).map_err(failed(directory))?;
        let path = directory.join("worker.lock");
        let mut file = open(&path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::InUse(holder(directory, &mut file))),
            Err(TryLockError::Error(error)) => return Err(failed(&path)(error)),
        }
        file.set_len(0).and_then(|()| file.write_all(address.as_bytes())).map_err(failed(&path))?;
        Ok(Self { _worker: file })
    }
}

/// Where the process that works on a directory can be reached; `None` where none works on it, or it listens nowhere.
pub fn served_at(directory: &Path) -> Option<String> {
    let mut file = File::open(directory.join("worker.lock")).ok()?;
    // The lock is free: whoever wrote the address is gone.
    if file.try_lock_shared().is_ok() {
        return None;
    }
    let mut address = String::new();
    file.read_to_string(&mut address).ok()?;
    Some(address.trim().to_owned()).filter(|address| !address.is_empty())
}

fn open(path: &Path) -> Result<File, StoreError> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed(path))
}

fn holder(directory: &Path, file: &mut File) -> String {
    let mut address = String::new();
    // What cannot be read is not told; that the directory is taken is the message.
    let read = file.rewind().and_then(|()| file.read_to_string(&mut address));
    match read {
        Ok(length) if length > 0 => format!("{} is served at {}", directory.display(), address.trim()),
        Ok(_) | Err(_) => format!("{} is held by another process", directory.display()),
    }
}

fn failed(path: &Path) -> impl Fn(std::io::Error) -> StoreError {
    move |error| unavailable(format!("{}: {error}", path.display()))
}
