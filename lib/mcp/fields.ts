import { z } from "zod";
import { identifier } from "../session/events/catalogue.ts";

// The API validates arguments; these descriptions are for assistants.

export const conversationId = identifier.describe("The conversation's id, as list_conversations tells it.");

export const cursor = z.string().optional().describe("What `next` of another answer said: goes on from there.");

/** The number of items. */
export function limit(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual);
}

/** The annotations of all read-only tools. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;
