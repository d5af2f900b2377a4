//! The bytes of an archive: unpacked where they are gzip or zstd, told by their first bytes, and hashed as they lie.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use sha2::{Digest as _, Sha256};

/// What gzip begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// What a frame of zstd begins with.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A file, unpacked where it is packed.
pub(super) fn unpacked(path: &Path) -> std::io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::new(File::open(path)?);
    let head = file.fill_buf()?;
    Ok(if head.starts_with(&GZIP) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else if head.starts_with(&ZSTD) {
        Box::new(BufReader::new(Frames::Between(file)))
    } else {
        Box::new(file)
    })
}

/// Whether an error says that a packed file is not whole, and not that the file cannot be read.
pub(super) fn is_broken(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::InvalidData | ErrorKind::InvalidInput | ErrorKind::UnexpectedEof | ErrorKind::Other
    )
}

/// SHA-256 over a file as it lies, in hex.
pub(super) fn digest(path: &Path) -> std::io::Result<String> {
    let mut file = BufReader::new(File::open(path)?);
    let mut digest = Sha256::new();
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hex::encode(digest.finalize()));
        }
        digest.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

/// Frames of zstd, one after the other: programs that pack in parallel write many.
enum Frames<R: BufRead> {
    Between(R),
    Within(Box<StreamingDecoder<R, ruzstd::decoding::FrameDecoder>>),
    Over,
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            match std::mem::replace(self, Self::Over) {
                Self::Over => return Ok(0),
                Self::Between(mut source) => {
                    if !source.fill_buf()?.is_empty() {
                        let frame = StreamingDecoder::new(source).map_err(broken)?;
                        *self = Self::Within(Box::new(frame));
                    }
                }
                Self::Within(mut frame) => {
                    let read = frame.read(buffer)?;
                    if read > 0 || buffer.is_empty() {
                        *self = Self::Within(frame);
                        return Ok(read);
                    }
                    *self = Self::Between(frame.into_inner());
                }
            }
        }
    }
}

fn broken(error: ruzstd::decoding::errors::FrameDecoderError) -> std::io::Error {
    std::io::Error::new(std::io::ErrorKind::InvalidData, error.to_string())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn text_of(bytes: &[u8]) -> std::io::Result<String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let mut text = String::new();
        unpacked(file.path())?.read_to_string(&mut text)?;
        Ok(text)
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(text.as_bytes()).unwrap();
        packer.finish().unwrap()
    }

    fn zstd(text: &str) -> Vec<u8> {
        ruzstd::encoding::compress_to_vec(text.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest)
    }

    #[test]
    fn packed_files_give_their_text_also_where_they_were_packed_in_pieces() {
        assert_eq!(text_of(b"Ines: I row\n").unwrap(), "Ines: I row\n");
        for pack in [gzip, zstd] {
            let long = "I row. ".repeat(50_000);
            assert_eq!(text_of(&pack(&long)).unwrap(), long);
            assert_eq!(text_of(&[pack("I row. "), pack("I ski.")].concat()).unwrap(), "I row. I ski.");
            let mut broken = pack(&long);
            broken.truncate(broken.len() / 2);
            assert!(is_broken(&text_of(&broken).unwrap_err()));
        }
    }
}
