import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { DataRefused } from "../errors.ts";
import type { Conversation } from "../repositories.ts";
import type { Storage } from "../storage.ts";
import { keyOf, MOVED, type MovedTable, type Row, type Side, type Target } from "./tables.ts";

/** Where a move is: `done` of `total` rows of a table, or conversations. */
export interface MoveProgress {
  phase: "copying" | "comparing" | "views";
  /** Null for views. */
  table: string | null;
  done: number;
  total: number;
}

export type OnMoving = (progress: MoveProgress) => void;

/** What was moved. */
export interface Moved {
  events: number;
  conversations: number;
}

const TOLD_EVERY = 10_000;
const CONVERSATIONS_A_PAGE = 100;

/**
 * Copies all tables into an empty target, or goes on with a move of the same source, and compares them row by row. Throws
 * `DataRefused` where the target is not empty, the source has changed meanwhile, or rows differ.
 */
export async function copyDatabase(source: Side, target: Target, onProgress: OnMoving): Promise<void> {
  const print = await fingerprintOf(source);
  const underWay = await target.source();
  if (underWay === null) {
    for (const table of MOVED)
      if ((await target.last(table)) !== null)
        throw new DataRefused(`The target is not empty (it has rows in ${table.name}); name an empty database`);
    await target.setSource(print);
  } else if (underWay !== print)
    throw new DataRefused(
      "The target has an unfinished move of another database, or of this one before it was changed; empty the target and start again",
    );
  for (const table of MOVED) await copyTable(source, target, table, onProgress);
  for (const table of MOVED) if (!table.isDerived) await compareTable(source, target, table, onProgress);
}

/** Compares the final view of each conversation, and its entry in the list. Throws `DataRefused` where one differs. */
export async function compareViews(source: Storage, target: Storage, onProgress: OnMoving): Promise<Moved> {
  const total = (await source.conversations.facets()).total;
  const moved = { events: await source.events.head(), conversations: 0 };
  let cursor: string | undefined;
  do {
    const page = await source.conversations.list({
      limit: CONVERSATIONS_A_PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    for (const conversation of page.items) {
      const { id } = conversation;
      const [expected, found] = await Promise.all([source.sessions.view(id, null), target.sessions.view(id, null)]);
      if (expected !== found || !isDeepStrictEqual(await listedOf(target, id), await listedOf(source, id)))
        throw new DataRefused(
          `The view of the conversation ${id} differs in the target; do not use it, and report this`,
        );
      moved.conversations += 1;
      onProgress({ phase: "views", table: null, done: moved.conversations, total });
    }
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return moved;
}

/** The entry in the list, without what the target counts anew in the background. */
async function listedOf(storage: Storage, id: string): Promise<Omit<Conversation, "tokens" | "cost"> | null> {
  const listed = await storage.conversations.get(id);
  if (!listed) return null;
  const { tokens: _tokens, cost: _cost, ...rest } = listed;
  return rest;
}

/** Tells whether a source is as it was. What is derived from the log does not count. */
async function fingerprintOf(source: Side): Promise<string> {
  const hash = createHash("sha256");
  for (const table of MOVED)
    if (!table.isDerived)
      hash.update(JSON.stringify([table.name, await source.count(table), await source.last(table)]));
  return hash.digest("hex");
}

/** Goes on after the last row that the target has. */
async function copyTable(source: Side, target: Target, table: MovedTable, onProgress: OnMoving): Promise<void> {
  const total = await source.count(table);
  let done = await target.count(table);
  const tell = () => onProgress({ phase: "copying", table: table.name, done, total });
  tell();
  for await (const page of pagesOf(source, table, await target.last(table))) {
    await target.write(table, page);
    done += page.length;
    tell();
  }
}

async function compareTable(source: Side, target: Side, table: MovedTable, onProgress: OnMoving): Promise<void> {
  const differs = (row: Row) =>
    new DataRefused(
      `${table.name} ${keyOf(table, row).join("/")} differs in the target: the source was changed during the move; empty the target and start again`,
    );
  const total = await source.count(table);
  let done = 0;
  const theirs = rowsOf(target, table);
  for await (const row of rowsOf(source, table)) {
    const other = await theirs.next();
    if (other.done || !isDeepStrictEqual(row, other.value)) throw differs(row);
    done += 1;
    if (done % TOLD_EVERY === 0) onProgress({ phase: "comparing", table: table.name, done, total });
  }
  const more = await theirs.next();
  if (!more.done) throw differs(more.value);
}

async function* pagesOf(side: Side, table: MovedTable, after: Row | null): AsyncGenerator<Row[], void> {
  for (let last = after; ; ) {
    const page = await side.read(table, last);
    if (page.length === 0) return;
    yield page;
    last = page.at(-1) ?? null;
  }
}

async function* rowsOf(side: Side, table: MovedTable): AsyncGenerator<Row, void> {
  for await (const page of pagesOf(side, table, null)) yield* page;
}
