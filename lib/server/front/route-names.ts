import { readFileSync } from "node:fs";
import { z } from "zod";
import { errorCode } from "../startup-error.ts";

/** The route pattern of a path: `/api/conversations/[id]`. Bounded cardinality, for metrics. */
export type RouteNames = (path: string | null) => string;

/** Paths without a route, and unknown patterns. */
const OTHER = "other";
const FILES = "files";

const manifest = z.object({
  staticRoutes: z.array(z.object({ page: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
});

/** Reads the routes of a build. Without them, as in development, all are `other`. */
export function readRouteNames(file: string): RouteNames {
  const { staticRoutes, dynamicRoutes } = readManifest(file);
  const fixed = new Set(staticRoutes.map(({ page }) => page));
  const dynamic = dynamicRoutes.map(({ page, regex }) => ({
    // The catch-all route.
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
