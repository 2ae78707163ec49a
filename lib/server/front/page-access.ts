import type { Permission } from "../../access/caller.ts";
import { FILES } from "./compression/compressed-files.ts";

/** Pages without authentication: the sign-in page and its icon. */
const PUBLIC = ["/sign-in", "/icon.svg"];

/** The permissions of pages by path; others require `read`. */
const PAGES: readonly (readonly [path: string, permission: Permission])[] = [
  ["/admin", "admin"],
  ["/alert-rules/new", "admin"],
];

/** The permission that a page requires. Each page checks it again where it reads. */
export function pagePermission(path: string): Permission {
  if (PUBLIC.includes(path) || path.startsWith(FILES)) return "public";
  return PAGES.find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? "read";
}

/** Whether a path is of the API and not a page. */
export function isApi(path: string): boolean {
  // OTLP has its own path.
  return /^\/(api|v1)(\/|$)/.test(path);
}

/** Next's paths besides pages and files: image optimization, error pages, and development tools. */
export function isOfNext(path: string): boolean {
  return path.startsWith("/_") && !path.startsWith(FILES);
}
