import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ApiInvoker, Refused } from "./api-invoker.ts";
import { type Cut, cutToSize, sizeOf } from "./cut.ts";

/** The default maximum length of a result: some ten thousand tokens, which every assistant can read. */
export const ROOM = 40_000;
const LEAST_ROOM = 2_000;
const MOST_ROOM = 400_000;

/** The minimum length to which an item is shortened, in characters: below, the page has fewer items. */
const LEAST_ITEM = 800;

/** Further cuts are only counted. */
const MAX_PLACES = 20;

/** The maximum length of the result. */
export const room = z
  .int()
  .min(LEAST_ROOM)
  .max(MOST_ROOM)
  .default(ROOM)
  .describe("About how many characters the answer may have. What does not fit is shortened, and `cut` says where.");

/** A tool's result before it is shortened. */
export interface ToolAnswer {
  /** Fields besides the items of a page. */
  facts: object;
  /** The items of a page; none may be left out, or `next` would skip them. */
  items?: unknown[];
  room: number;
  /** How to get what was shortened. */
  more: string;
}

/**
 * Runs a tool. Errors of the API are results that the assistant can read and correct; internal errors are logged and
 * reported without details.
 */
export async function answerTool(api: ApiInvoker, tell: () => Promise<ToolAnswer>): Promise<CallToolResult> {
  try {
    return text(JSON.stringify(withinRoom(await tell())));
  } catch (error) {
    if (error instanceof Refused) return { ...text(error.message), isError: true };
    api.logger.error({ err: error }, "An MCP tool failed");
    return { ...text("Internal error; see the server's log."), isError: true };
  }
}

function text(said: string): CallToolResult {
  return { content: [{ type: "text", text: said }] };
}

/** A result within its maximum length, with the list of cuts at its end. */
export function withinRoom({ facts, items, room, more }: ToolAnswer): object {
  const taken = items ? sizeOf(items) : 0;
  // Items of a page have priority: its other fields are few.
  const cutFacts = cutToSize(facts, Math.max(room - taken, room / 4));
  const cutItems = items && cutEach(items, Math.max(room - sizeOf(cutFacts.value), room / 2));
  const cuts = [...cutFacts.cuts, ...(cutItems?.cuts ?? [])];
  const told = typeof cutFacts.value === "object" ? { ...cutFacts.value } : { facts: cutFacts.value };
  return {
    ...told,
    ...(cutItems && { items: cutItems.items }),
    ...(cuts.length > 0 && { cut: { places: cuts.slice(0, MAX_PLACES), count: cuts.length, more } }),
  };
}

function cutEach(items: unknown[], room: number): { items: unknown[]; cuts: Cut[] } {
  if (sizeOf(items) <= room) return { items, cuts: [] };
  const share = Math.floor(room / items.length);
  const cut = items.map((item) => cutToSize(item, share));
  return {
    items: cut.map(({ value }) => value),
    cuts: cut.flatMap(({ cuts }, index) => cuts.map((each) => ({ ...each, path: `/items/${index}${each.path}` }))),
  };
}

/** A page of the API. */
interface ListPage {
  items: unknown[];
  next: string | null;
}

/**
 * A page with as many items as fit when each is shortened to its share; requested again if these are fewer than
 * requested, so that `next` continues after the last of them.
 */
export async function pageWithin<P extends ListPage>(
  ask: (limit: number) => Promise<P>,
  limit: number,
  room: number,
): Promise<P> {
  const page = await ask(limit);
  if (sizeOf(page.items) <= room) return page;
  let taken = 0;
  const past = page.items.findIndex((item) => {
    taken += Math.min(sizeOf(item), LEAST_ITEM);
    return taken > room;
  });
  return past === -1 || page.items.length === 1 ? page : ask(Math.max(1, past));
}
