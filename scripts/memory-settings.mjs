/**
 * What a server's process is started with, so that it holds little more than it uses: decision 32. V8 and the C library read it
 * as the process begins.
 */

/**
 * V8 lets a new generation grow to three times the first, MB, and an old one by the second, percent, before it cleans up. By
 * itself it fills what the machine has: up to 128 MB, and four times what is in use. At 50 percent a thread that reads views of
 * a long session stopped so often that the slowest of a hundred took 55 ms instead of 30; 100 costs it 15 MB.
 */
export const V8_OPTIONS = ["--max-semi-space-size=8", "--heap-growing-percent=100"];

/**
 * The C library keeps what is freed in an arena for each thread, and raises by itself the size from which on memory goes back
 * to the system at once: the chunks of streams are of 50 KB.
 */
export const ENVIRONMENT = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "32768" };
