//! How the C library's allocator hands memory back. By default every thread may have an arena of its own, and blocks up
//! to 32 MiB come from arenas once one such block was freed; so after one huge page each thread keeps what it once needed.
//! One arena per core and large blocks of their own bring the peak of a crawl with one hostile host from 42 MiB above a
//! crawl without it down to 25 (`examples/hostile_cost`), at the same speed.

/// Blocks from this size on go back to the system when they are freed.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE_BLOCK_BYTES: libc::c_int = 256 << 10;

/// Sets the allocator up. To be called before any thread starts.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "mallopt has no safe wrapper")]
pub fn settle() {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let arenas = libc::c_int::try_from(cores.max(2)).unwrap_or(libc::c_int::MAX);
    // SAFETY: mallopt only sets numbers inside the allocator, and no other thread runs yet.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, arenas);
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE_BLOCK_BYTES);
    }
}

/// Other allocators are left as they are.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn settle() {}
