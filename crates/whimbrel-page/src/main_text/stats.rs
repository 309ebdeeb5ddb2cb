//! Sums over the text inside each container, leaving dropped ones out.

use crate::visit::Visit;

/// Bytes of text and of link text per container, everything inside it included.
pub(super) struct Stats {
    sums: Vec<Sums>,
}

/// What is summed.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) bytes: u32,
    pub(super) link_bytes: u32,
    /// Bytes in blocks that read like prose.
    pub(super) prose_bytes: u32,
    /// Bytes in blocks that are nothing but links.
    pure_link_bytes: u32,
}

impl Stats {
    pub(super) fn of(visit: &Visit<'_>, dropped: &[bool]) -> Stats {
        let mut sums = vec![Sums::default(); visit.containers.len()];
        for block in &visit.blocks {
            let container = block.container as usize;
            if !dropped[container] {
                let sum = &mut sums[container];
                sum.bytes += block.len();
                sum.link_bytes += block.link_bytes;
                sum.prose_bytes += if block.is_prose() { block.len() } else { 0 };
                sum.pure_link_bytes += if block.is_pure_link() { block.len() } else { 0 };
            }
        }
        // Children come after their parents: adding backwards carries every sum to the top.
        for number in (1..sums.len()).rev() {
            let inner = sums[number];
            let sum = &mut sums[visit.containers[number].parent as usize];
            sum.bytes += inner.bytes;
            sum.link_bytes += inner.link_bytes;
            sum.prose_bytes += inner.prose_bytes;
            sum.pure_link_bytes += inner.pure_link_bytes;
        }
        Stats { sums }
    }

    /// Sums over neighbours: the containers of `range` that are not inside another of it.
    pub(super) fn range(&self, visit: &Visit<'_>, range: std::ops::Range<usize>) -> Sums {
        let mut sums = Sums::default();
        let mut at = range.start;
        while at < range.end {
            let inner = self.sums[at];
            sums.bytes += inner.bytes;
            sums.link_bytes += inner.link_bytes;
            sums.prose_bytes += inner.prose_bytes;
            at = visit.containers[at].end_container as usize;
        }
        sums
    }

    pub(super) fn bytes(&self, container: usize) -> u32 {
        self.sums[container].bytes
    }

    pub(super) fn link_bytes(&self, container: usize) -> u32 {
        self.sums[container].link_bytes
    }

    /// Text that is not link text.
    pub(super) fn plain_bytes(&self, container: usize) -> u32 {
        self.sums[container].bytes - self.sums[container].link_bytes
    }

    pub(super) fn prose_bytes(&self, container: usize) -> u32 {
        self.sums[container].prose_bytes
    }

    /// Share of the page's text.
    pub(super) fn share(&self, container: usize) -> f32 {
        self.sums[container].bytes as f32 / self.sums[0].bytes.max(1) as f32
    }

    /// Share of the page's sentences.
    pub(super) fn prose_share(&self, container: usize) -> f32 {
        self.sums[container].prose_bytes as f32 / self.sums[0].prose_bytes.max(1) as f32
    }

    /// Share of the text in blocks that are nothing but links.
    pub(super) fn pure_link_share(&self, container: usize) -> f32 {
        let sum = &self.sums[container];
        sum.pure_link_bytes as f32 / sum.bytes.max(1) as f32
    }

    /// Share of the text that is link text.
    pub(super) fn link_share(&self, container: usize) -> f32 {
        let sum = &self.sums[container];
        sum.link_bytes as f32 / sum.bytes.max(1) as f32
    }
}
