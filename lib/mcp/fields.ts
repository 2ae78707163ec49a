import { z } from "zod";
import { identifier } from "../session/catalogue.ts";

// The API checks what is asked; here stands what an assistant has to know to ask.

export const conversationId = identifier.describe("The conversation's id, as list_conversations tells it.");

export const cursor = z.string().optional().describe("What `next` of another answer said: goes on from there.");

/** How many items are asked for. */
export function limit(most: number, usual: number) {
  return z.int().min(1).max(most).default(usual);
}

/** What every tool that reads tells of itself: it changes nothing, and speaks of this server alone. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;
