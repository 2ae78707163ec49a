import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type ApiInvoker, Refused } from "./api-invoker.ts";
import { type Cut, cutToSize, sizeOf } from "./cut.ts";

/** Characters of an answer, unless it is asked for otherwise: some ten thousand tokens, which every assistant has room for. */
export const ROOM = 40_000;
const LEAST_ROOM = 2_000;
const MOST_ROOM = 400_000;

/** No item of a page is shortened to less than this, characters: the page becomes shorter instead. */
const LEAST_ITEM = 800;

/** More places than these are counted only. */
const MAX_PLACES = 20;

/** How much a caller takes. */
export const room = z
  .int()
  .min(LEAST_ROOM)
  .max(MOST_ROOM)
  .default(ROOM)
  .describe("About how many characters the answer may have. What does not fit is shortened, and `cut` says where.");

/** A tool's answer on its way. */
export interface ToolAnswer {
  /** What is told besides the items of a page. */
  facts: object;
  /** The items of a page; they are never left out, or `next` would pass them over. */
  items?: unknown[];
  room: number;
  /** How to get what was shortened. */
  more: string;
}

/**
 * Runs a tool. What the API refuses is an error that the assistant can read and mend; what broke on our side is logged and
 * told without its insides.
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

/** An answer that has the room it was given, with what was cut told at its end. */
export function withinRoom({ facts, items, room, more }: ToolAnswer): object {
  const taken = items ? sizeOf(items) : 0;
  // A page comes first: facts beside it are few.
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

/** A page as the API answers it. */
interface ListPage {
  items: unknown[];
  next: string | null;
}

/**
 * A page of as many items as have room when each of them may be shortened to a share; asked for again where that are fewer
 * than were asked for, so that its `next` goes on after the last of them.
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
