import type { Permission } from "../access/caller.ts";
import { FILES } from "./compressed-files.ts";

/** Whom nobody has to know: the page for signing in, and the picture of the site that it has too. */
const PUBLIC = ["/sign-in", "/icon.svg"];

/** What the pages under a path ask of whoever wants to see them; all others ask for `read`. */
const PAGES: readonly (readonly [path: string, permission: Permission])[] = [["/admin", "admin"]];

/**
 * What the page of an address asks of whoever wants to see it. However it is written: what Next might take for a page counts
 * as that page, and what might lead out of a public folder is not public.
 */
export function pagePermission(address: string): Permission {
  const path = decodeURIComponent(address)
    .replaceAll(/[\\/]+/g, "/")
    .toLowerCase();
  if (/\/\.{1,2}(\/|$)/.test(path)) return "admin";
  if (PUBLIC.includes(path) || path.startsWith(FILES)) return "public";
  return PAGES.find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? "read";
}
