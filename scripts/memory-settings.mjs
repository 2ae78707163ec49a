/**
 * What a server's process is started with, so that it holds little more than it uses: decision 32. V8 and the C library read it
 * as the process begins.
 */

/**
 * V8 lets the young generation grow to three times the first value, MB, and the old one by the second, percent, before
 * a collection. By default it uses up to 128 MB, and four times the live size. At 50 percent, the slowest views in a
 * hundred of a long session took 55 ms instead of 30; 100 costs 15 MB more.
 */
const HEAP_OPTIONS = ["--max-semi-space-size=8", "--heap-growing-percent=100"];

/** Threads that have become idle collect their garbage (`lib/event-loop/idle-collection.ts`). */
export const V8_OPTIONS = [...HEAP_OPTIONS, "--expose-gc"];

/**
 * glibc keeps freed memory in an arena per thread, and increases the size above which memory is returned to the system
 * at once: chunks of streams have 50 KB.
 */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "32768" };
