//! The bytes of a file as they lie there, counted, so that members have a place and a length.

use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

const BUFFER_BYTES: usize = 1 << 16;

/// A file with a position.
pub(super) struct Source<R> {
    inner: BufReader<R>,
    position: u64,
    length: u64,
    /// A read found the end of the file. Some decoders end quietly there.
    pub starved: bool,
}

impl<R: Read + Seek> Source<R> {
    /// Starts at `offset`.
    pub(super) fn open(mut input: R, offset: u64) -> io::Result<Source<R>> {
        let length = input.seek(SeekFrom::End(0))?;
        input.seek(SeekFrom::Start(offset))?;
        let inner = BufReader::with_capacity(BUFFER_BYTES, input);
        Ok(Source { inner, position: offset, length, starved: false })
    }

    /// Bytes consumed, from the beginning of the file.
    pub(super) fn position(&self) -> u64 {
        self.position
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Goes to `position`.
    pub(super) fn seek(&mut self, position: u64) -> io::Result<()> {
        self.inner.seek(SeekFrom::Start(position))?;
        self.position = position;
        Ok(())
    }

    /// Up to `N` bytes from here on, which are not consumed; zeros where the file ends.
    pub(super) fn peek<const N: usize>(&mut self) -> io::Result<([u8; N], usize)> {
        let mut bytes = [0; N];
        let mut got = 0;
        while got < N {
            match self.inner.read(&mut bytes[got..])? {
                0 => break,
                more => got += more,
            }
        }
        self.inner.seek_relative(-(got as i64))?;
        Ok((bytes, got))
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let got = self.inner.read(out)?;
        self.position += got as u64;
        self.starved |= got == 0 && !out.is_empty();
        Ok(got)
    }
}

impl<R: Read> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.position += amount as u64;
    }
}
