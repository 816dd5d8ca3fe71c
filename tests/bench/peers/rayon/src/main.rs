// SPDX-License-Identifier: MIT
//
// The workloads of peer.h on Rayon. The sequential parts are those of peer.c, linked in, so that
// only the parallel code differs.
use rayon::prelude::*;
use std::ffi::CString;
use std::os::raw::{c_char, c_int, c_long, c_void};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const SORT_LEAF: usize = 512;
const QUEENS_PARALLEL: u32 = 3;
const NBODY_TICKS: u32 = 10;
const INCREMENT_PASSES: u32 = 100;
const BULK_BATCH: usize = 1000;
const TREE_SEED: u64 = 42;

type PeerFn = extern "C" fn(c_long) -> u64;

#[repr(C)]
struct Workload {
    name: *const c_char,
    run: Option<PeerFn>,
    prepare: Option<unsafe extern "C" fn(c_long)>,
}

type PostedFn = extern "C" fn(*mut c_void);

#[repr(C)]
struct Peer {
    workloads: *const Workload,
    start: extern "C" fn(u32) -> c_int,
    run: extern "C" fn(PeerFn, c_long, *mut u64),
    stop: extern "C" fn(),
    post: Option<extern "C" fn(PostedFn, *mut c_void)>,
    pingpong: Option<extern "C" fn(c_long)>,
}

extern "C" {
    static mut numbers: *mut u32;
    static mut scratch: *mut u32;
    static mut words: *mut u64;
    fn peer_main(argc: c_int, argv: *const *const c_char, peer: *const Peer) -> c_int;
    fn prepare_numbers(size: c_long);
    fn numbers_checksum(size: c_long) -> u64;
    fn quick_sort(a: *mut u32, n: usize);
    fn partition(a: *mut u32, n: usize) -> usize;
    fn merge_sort(a: *mut u32, tmp: *mut u32, n: usize);
    fn merge_halves(a: *mut u32, tmp: *mut u32, n: usize);
    fn queens(n: u32, row: u32, columns: u32, left: u32, right: u32) -> u64;
    fn tree_children(node: u64, depth: u32) -> u32;
    fn tree_child(node: u64, i: u32) -> u64;
    fn prepare_bodies(size: c_long);
    fn body_pull(i: usize, begin: usize, end: usize, a: *mut f64);
    fn body_move(i: usize, a: *const f64);
    fn bodies_swap();
    fn bodies_checksum(size: c_long) -> u64;
    fn prepare_words(size: c_long);
}

static mut POOL: Option<rayon::ThreadPool> = None;

extern "C" fn start(threads: u32) -> c_int {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build();
    match pool {
        Ok(pool) => unsafe {
            POOL = Some(pool); // before any other thread reads it
            0
        },
        Err(_) => 1,
    }
}

extern "C" fn stop() {}

extern "C" fn run(f: PeerFn, size: c_long, out: *mut u64) {
    let sum = unsafe { POOL.as_ref() }.unwrap().install(|| f(size));
    unsafe { *out = sum }
}

extern "C" fn post(f: PostedFn, arg: *mut c_void) {
    let arg = arg as usize;
    unsafe { POOL.as_ref() }.unwrap().spawn(move || f(arg as *mut c_void));
}

extern "C" fn pingpong(size: c_long) {
    let other = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    unsafe { POOL.as_ref() }.unwrap().install(|| {
        for _ in 0..size {
            other.install(|| ());
        }
    });
}

fn fib(n: u64) -> u64 {
    if n < 2 {
        return n;
    }
    let (a, b) = rayon::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

extern "C" fn run_fib(size: c_long) -> u64 {
    fib(size as u64)
}

fn recurse(depth: c_long) {
    if depth > 0 {
        rayon::join(|| recurse(depth - 1), || recurse(depth - 1));
    }
}

extern "C" fn run_recursion(size: c_long) -> u64 {
    recurse(size);
    size as u64
}

fn sort_quick(a: &mut [u32]) {
    if a.len() <= SORT_LEAF {
        unsafe { quick_sort(a.as_mut_ptr(), a.len()) };
        return;
    }
    let cut = unsafe { partition(a.as_mut_ptr(), a.len()) } + 1;
    let (low, high) = a.split_at_mut(cut);
    rayon::join(|| sort_quick(low), || sort_quick(high));
}

fn sort_merge(a: &mut [u32], tmp: &mut [u32]) {
    let n = a.len();
    if n <= SORT_LEAF {
        unsafe { merge_sort(a.as_mut_ptr(), tmp.as_mut_ptr(), n) };
        return;
    }
    {
        let (low, high) = a.split_at_mut(n / 2);
        let (tmp_low, tmp_high) = tmp.split_at_mut(n / 2);
        rayon::join(|| sort_merge(low, tmp_low), || sort_merge(high, tmp_high));
    }
    unsafe { merge_halves(a.as_mut_ptr(), tmp.as_mut_ptr(), n) };
}

extern "C" fn run_quicksort(size: c_long) -> u64 {
    sort_quick(unsafe { std::slice::from_raw_parts_mut(numbers, size as usize) });
    unsafe { numbers_checksum(size) }
}

extern "C" fn run_mergesort(size: c_long) -> u64 {
    let n = size as usize;
    let (a, tmp) = unsafe {
        (std::slice::from_raw_parts_mut(numbers, n), std::slice::from_raw_parts_mut(scratch, n))
    };
    sort_merge(a, tmp);
    unsafe { numbers_checksum(size) }
}

fn solve(n: u32, row: u32, columns: u32, left: u32, right: u32) -> u64 {
    if row >= QUEENS_PARALLEL {
        return unsafe { queens(n, row, columns, left, right) };
    }
    (0..n)
        .into_par_iter()
        .map(|i| 1u32 << i)
        .filter(|bit| (columns | left | right) & bit == 0)
        .map(|bit| solve(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1))
        .sum()
}

extern "C" fn run_queens(size: c_long) -> u64 {
    solve(size as u32, 0, 0, 0, 0)
}

fn count_children(node: u64, depth: u32, begin: u32, end: u32) -> u64 {
    if end - begin > 1 {
        let half = begin + (end - begin) / 2;
        let (a, b) = rayon::join(
            || count_children(node, depth, begin, half),
            || count_children(node, depth, half, end),
        );
        return a + b;
    }
    let child = unsafe { tree_child(node, begin) };
    let below = unsafe { tree_children(child, depth + 1) };
    1 + if below > 0 { count_children(child, depth + 1, 0, below) } else { 0 }
}

extern "C" fn run_tree(size: c_long) -> u64 {
    count_children(TREE_SEED + size as u64, 0, 0, 8)
}

extern "C" fn run_increment(size: c_long) -> u64 {
    let all = unsafe { std::slice::from_raw_parts_mut(words, size as usize) };
    for _ in 0..INCREMENT_PASSES {
        all.par_iter_mut().for_each(|w| *w += 1);
    }
    all[size as usize - 1]
}

fn acceleration(i: usize, n: usize) -> [f64; 3] {
    (0..n)
        .into_par_iter()
        .fold(
            || [0.0; 3],
            |mut a: [f64; 3], j| {
                unsafe { body_pull(i, j, j + 1, a.as_mut_ptr()) };
                a
            },
        )
        .reduce(|| [0.0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]])
}

extern "C" fn run_nbody(size: c_long) -> u64 {
    let n = size as usize;
    for _ in 0..NBODY_TICKS {
        (0..n).into_par_iter().for_each(|i| {
            let a = acceleration(i, n);
            unsafe { body_move(i, a.as_ptr()) };
        });
        unsafe { bodies_swap() };
    }
    unsafe { bodies_checksum(size) }
}

extern "C" fn run_scope(size: c_long) -> u64 {
    let done = AtomicU64::new(0);
    rayon::scope(|s| {
        for _ in 0..size {
            s.spawn(|_| {
                done.fetch_add(1, Relaxed);
            });
        }
    });
    done.into_inner()
}

extern "C" fn run_bulk(size: c_long) -> u64 {
    let mut slots = [0u64; BULK_BATCH];
    let mut sum = 0u64;
    for _ in 0..size as usize / BULK_BATCH {
        for (i, slot) in slots.iter_mut().enumerate() {
            *slot = i as u64;
        }
        rayon::scope(|s| {
            for slot in slots.iter_mut() {
                s.spawn(move |_| *slot = *slot * *slot + 1);
            }
        });
        sum += slots.iter().sum::<u64>();
    }
    sum
}

extern "C" fn run_fanout(size: c_long) -> u64 {
    let mut f = vec![0u64; size as usize];
    rayon::scope(|s| {
        for (i, slot) in f.iter_mut().enumerate() {
            s.spawn(move |_| *slot = (i as u64) * (i as u64));
        }
    });
    f.iter().sum()
}

fn workload(
    name: &'static str,
    run: PeerFn,
    prepare: Option<unsafe extern "C" fn(c_long)>,
) -> Workload {
    Workload { name: CString::new(name).unwrap().into_raw(), run: Some(run), prepare }
}

fn main() {
    let args: Vec<CString> = std::env::args().map(|a| CString::new(a).unwrap()).collect();
    let argv: Vec<*const c_char> = args.iter().map(|a| a.as_ptr()).collect();
    let workloads = [
        workload("fib", run_fib, None),
        workload("recursion", run_recursion, None),
        workload("quicksort", run_quicksort, Some(prepare_numbers)),
        workload("mergesort", run_mergesort, Some(prepare_numbers)),
        workload("queens", run_queens, None),
        workload("tree", run_tree, None),
        workload("increment", run_increment, Some(prepare_words)),
        workload("nbody", run_nbody, Some(prepare_bodies)),
        workload("scope", run_scope, None),
        workload("bulk", run_bulk, None),
        workload("fanout", run_fanout, None),
        Workload { name: std::ptr::null(), run: None, prepare: None },
    ];
    let peer = Peer {
        workloads: workloads.as_ptr(),
        start,
        run,
        stop,
        post: Some(post),
        pingpong: Some(pingpong),
    };
    let rc = unsafe { peer_main(argv.len() as c_int, argv.as_ptr(), &peer) };
    std::process::exit(rc);
}
