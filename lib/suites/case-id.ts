import { hash } from "node:crypto";

/** Of the part of a case's id that is a session's: the step follows it. */
const LONGEST_ID = 180;
const LONGEST_CUT_ID = 160;

/**
 * The id of a case, which stands in addresses and names of files: that of its session, where it can, and the step. Where it cannot,
 * what replaces it has a hash of it, after a character that no other id has: ids of two sessions never give the same.
 */
export function caseIdOf(conversationId: string, step: number): string {
  return `${caseNameOf(conversationId)}:${step}`;
}

/** What the ids of all cases of a session begin with, before the colon and the step. */
export function caseNameOf(conversationId: string): string {
  if (conversationId.length <= LONGEST_ID && !NOT_PLAIN.test(conversationId)) return conversationId;
  const cut = conversationId.slice(0, LONGEST_CUT_ID).replaceAll(new RegExp(NOT_PLAIN, "gu"), "_");
  return `${cut}~${hash("sha256", conversationId).slice(0, 16)}`;
}

const NOT_PLAIN = /[^\p{L}\p{N}._:@-]/u;
