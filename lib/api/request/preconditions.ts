import type { Expectation } from "../../../db/repositories.ts";
import { answerText } from "../answers/answer.ts";
import { refusal } from "../answers/answers.ts";
import type { Answer } from "../operation.ts";
import { invalidInput } from "../sentences.ts";
import type { ApiHeaders } from "./api-request.ts";

/** Request headers for reading a versioned value. */
export const READ_CONDITIONS = { "If-None-Match": "The client's versions: 304 if one of them is current." };

/** Request headers for writing one. */
export const WRITE_CONDITIONS = {
  "If-Match": 'Only if the current version is one of these (`"3"`), or, with `*`, any.',
  "If-None-Match": "`*`: only if it does not exist.",
};

/** The responses of conditional reads and writes. */
export const KNOWN: Answer = { description: "The client's version is current." };
export const STALE = refusal("The version has changed; nothing was written.");

/** The ETag of a version: `"3"`. */
export function etag(version: number): string {
  return `"${version}"`;
}

/**
 * The version that a write's `If-Match` or `If-None-Match` expects (RFC 9110). Throws `invalid_input` for invalid
 * headers.
 */
export function expectation(headers: ApiHeaders): Expectation {
  const match = readTags(headers, "if-match");
  const noneMatch = readTags(headers, "if-none-match");
  if (match && noneMatch) throw invalidInput([{ path: "/If-None-Match", message: "cannot be combined with If-Match" }]);
  if (noneMatch) {
    if (noneMatch.any) return { kind: "absent" };
    throw invalidInput([{ path: "/If-None-Match", message: "must be * when writing; use If-Match with a version" }]);
  }
  if (!match) return { kind: "any" };
  if (match.any) return { kind: "present" };
  // A weak tag never matches for writing.
  return { kind: "version", versions: match.tags.filter((tag) => !tag.weak).flatMap((tag) => versionOf(tag)) };
}

/**
 * Responds with JSON text of a version; 304 if the client has it (RFC 9110). `weak`: of what is only read. Its tag names the content
 * in any coding, so it may be compressed.
 */
export function answerVersion(headers: ApiHeaders, version: number, json: string, { weak = false } = {}): Response {
  const tag = { etag: `${weak ? "W/" : ""}${etag(version)}` };
  return matchesNone(headers, version) ? answerText(json, 200, tag) : new Response(null, { status: 304, headers: tag });
}

/** Whether `If-None-Match` requires this version to be sent. */
function matchesNone(headers: ApiHeaders, version: number): boolean {
  const tags = readTags(headers, "if-none-match");
  if (!tags) return true;
  return !tags.any && !tags.tags.some((tag) => versionOf(tag).includes(version));
}

interface Tag {
  weak: boolean;
  text: string;
}

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

function readTags(headers: ApiHeaders, name: string): { any: boolean; tags: Tag[] } | null {
  const header = headers.get(name)?.trim();
  if (header === undefined) return null;
  if (header === "*") return { any: true, tags: [] };
  const tags = header.split(",").map((part) => {
    const tag = TAG.exec(part.trim());
    if (!tag) throw invalidInput([{ path: `/${name}`, message: 'must be * or versions in quotes, such as "3"' }]);
    return { weak: tag[1] !== undefined, text: tag[2] ?? "" };
  });
  return { any: false, tags };
}

/** Only our own tags can match: `"03"` and `"x"` do not. Values from files have `"0"`. */
function versionOf({ text }: Tag): number[] {
  return /^(0|[1-9]\d{0,14})$/.test(text) ? [Number(text)] : [];
}
