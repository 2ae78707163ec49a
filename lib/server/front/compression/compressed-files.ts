import { createReadStream, readdirSync, statSync } from "node:fs";
import type { RequestListener } from "node:http";
import { extname, join, sep } from "node:path";
import { pipeline } from "node:stream";
import type { Logger } from "pino";
import { errorCode } from "../../startup-error.ts";
import { preferredCoding } from "./accepted-encoding.ts";

/** The path of Next's build output. */
export const FILES = "/_next/static/";

const TYPES: Readonly<Record<string, string>> = {
  ".js": "application/javascript; charset=UTF-8",
  ".css": "text/css; charset=UTF-8",
};

interface CompressedFile {
  path: string;
  type: string;
  size: number;
}

/**
 * Serves a build's scripts and styles precompressed to clients that accept it. Everything else is passed to `others`,
 * also for builds without compressed files.
 */
export function serveCompressed(folder: string, others: RequestListener, logger: Logger): RequestListener {
  const files = findCompressed(folder);
  return (request, response) => {
    const { method, url = "", headers } = request;
    const file = method === "GET" && headers.range === undefined ? files.get(url.split("?", 1)[0] ?? "") : undefined;
    if (!file || preferredCoding(headers["accept-encoding"]) !== "br") return others(request, response);
    response.writeHead(200, {
      "content-type": file.type,
      "content-encoding": "br",
      "content-length": file.size,
      vary: "accept-encoding",
      // File names contain a content hash.
      "cache-control": "public, max-age=31536000, immutable",
    });
    pipeline(createReadStream(file.path), response, (error) => {
      if (error && errorCode(error) !== "ERR_STREAM_PREMATURE_CLOSE")
        logger.error({ err: error, url }, "Could not read a file of the build");
    });
  };
}

/** By request path. Other paths never reach the disk. */
function findCompressed(folder: string): Map<string, CompressedFile> {
  const found = new Map<string, CompressedFile>();
  for (const copy of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!copy.endsWith(".br")) continue;
    const name = copy.slice(0, -".br".length);
    const type = TYPES[extname(name)];
    const path = join(folder, copy);
    const address = FILES + name.split(sep).map(encodeURIComponent).join("/");
    if (type) found.set(address, { path, type, size: statSync(path).size });
  }
  return found;
}
