import type { Permission } from "../../access/caller.ts";
import { FILES } from "./compressed-files.ts";

/** Whom nobody has to know: the page for signing in, and the picture of the site that it has too. */
const PUBLIC = ["/sign-in", "/icon.svg"];

/** What the pages under a path ask of whoever wants to see them; all others ask for `read`. */
const PAGES: readonly (readonly [path: string, permission: Permission])[] = [["/admin", "admin"]];

/** What the page of a path asks of whoever wants to see it. Each page checks the same again where it reads. */
export function pagePermission(path: string): Permission {
  if (PUBLIC.includes(path) || path.startsWith(FILES)) return "public";
  return PAGES.find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? "read";
}

/** Tells the calls of the API from pages. */
export function isApi(path: string): boolean {
  // OTLP has an address of its own.
  return /^\/(api|v1)(\/|$)/.test(path);
}

/** What Next has besides pages and files: its optimizer of images, its pages for errors, and the tools of development. */
export function isOfNext(path: string): boolean {
  return path.startsWith("/_") && !path.startsWith(FILES);
}
