import { readFileSync } from "node:fs";
import { z } from "zod";
import { errorCode } from "../startup-error.ts";

/** Tells by which route an address is answered: `/api/conversations/[id]`. Their number has an end, whatever is asked for. */
export type RouteNames = (path: string | null) => string;

/** What no route answers, and what is not known by name. */
const OTHER = "other";
const FILES = "files";

const manifest = z.object({
  staticRoutes: z.array(z.object({ page: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
});

/** Reads the routes that a build wrote down. Without them, as in development, they have no names. */
export function readRouteNames(file: string): RouteNames {
  const { staticRoutes, dynamicRoutes } = readManifest(file);
  const fixed = new Set(staticRoutes.map(({ page }) => page));
  const dynamic = dynamicRoutes.map(({ page, regex }) => ({
    // The route of all addresses that the others leave.
    name: page.includes("[[...") ? OTHER : page,
    pattern: new RegExp(regex),
  }));
  return (path) => {
    if (path === null) return OTHER;
    if (path.startsWith("/_next/")) return FILES;
    if (fixed.has(path)) return path;
    return dynamic.find(({ pattern }) => pattern.test(path))?.name ?? OTHER;
  };
}

function readManifest(file: string): z.infer<typeof manifest> {
  try {
    return manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { staticRoutes: [], dynamicRoutes: [] };
    throw error;
  }
}
