import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { z } from "zod";
import type { ConversationQuery, Conversations } from "../../../../db/repositories.ts";
import type { RedactionRule } from "../../../redaction/rules.ts";
import { printRange } from "../../../rollup/totals.ts";
import { printScoreFilter } from "../../../scores/score.ts";
import type { Services } from "../../../server/services.ts";
import { refusal } from "../../answers/answers.ts";
import { auditReading } from "../../audited.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { bytesStream } from "../../stream/bytes-stream.ts";
import { redact, rulesOf } from "../../stream/redacted-export.ts";
import { exportedOf, exportOf, ndjsonFile } from "./export-conversation.ts";
import { conversationFilters } from "./list-conversations.ts";
import { listQuery } from "./list-query.ts";

const A_PAGE = 200;

/** How long an export waits for the search index, and its polling interval, ms. */
const CATCHING_UP = { most: 30_000, pause: 250 } as const;

/** The number of conversations that follow. */
const COUNT_HEADER = "obelus-conversations";

/** Exports all matching conversations as one file that can be imported. */
export const exportConversations = operation({
  name: "exportConversations",
  permission: "read",
  method: "GET",
  path: "/api/export",
  summary: `Exports all matching conversations as NDJSON, one after another, each as of the time it is read. The header ${COUNT_HEADER} has their number.`,
  query: z.strictObject({ ...conversationFilters, redact }),
  answers: {
    200: { description: "The conversations, one event per line.", type: "application/x-ndjson" },
    503: refusal(
      "The index of the search, or of what conversations add up to, is behind; retry, or omit these filters.",
    ),
  },
  async run({ query: { redact: wanted, ...query }, signal, requester, audit }, { config, logger, ...stores }) {
    const rules = rulesOf(wanted, config);
    const asked = listQuery(query, requester.caller);
    await searchable(stores.conversations, asked, signal);
    const ids = await found(stores.conversations, asked, signal);
    const { q, score, duration, cost, tokens, failures, ...filters } = query;
    const ranges = Object.entries({ duration, cost, tokens, failures }).flatMap(([name, range]) =>
      range === undefined ? [] : [[name, printRange(range)]],
    );
    const action = {
      action: "conversations.exported",
      target: null,
      // The search may be for a person's name.
      after: {
        ...filters,
        ...Object.fromEntries(ranges),
        ...(score && { score: printScoreFilter(score) }),
        ...(q !== undefined && { searched: true }),
        conversations: ids.length,
      },
    } as const;
    await auditReading(action, audit, { logger });
    return new Response(bytesStream(exports(ids, rules, stores)), {
      headers: {
        ...ndjsonFile(`obelus-${new Date().toISOString().slice(0, 10)}`),
        [COUNT_HEADER]: String(ids.length),
      },
    });
  },
});

/** Waits until everything in the log is indexed: otherwise the export would be incomplete without saying so. */
async function searchable(
  conversations: Conversations,
  query: ConversationFilters,
  signal: AbortSignal,
): Promise<void> {
  if (query.q === undefined && query.ranges === undefined) return;
  const until = Date.now() + CATCHING_UP.most;
  for (;;) {
    const { behind } = await conversations.list({ ...query, limit: 1 });
    if (behind === undefined) return;
    if (Date.now() > until)
      throw new Problem(
        "unavailable",
        `The index is ${behind} events behind, so the export would be incomplete; retry in a minute, or omit ${query.q === undefined ? "the ranges" : "q"}.`,
      );
    await delay(CATCHING_UP.pause, undefined, { signal });
  }
}

/**
 * All matching conversations. Those that become active while pages are read move to pages that were read already, so
 * the start is read again.
 */
async function found(conversations: Conversations, query: ConversationFilters, signal: AbortSignal): Promise<string[]> {
  const began = new Date().toISOString();
  const ids = new Set<string>();
  const collect = async (filters: ConversationFilters) => {
    let cursor: string | undefined;
    do {
      const page = await conversations.list({ ...filters, limit: A_PAGE, ...(cursor !== undefined && { cursor }) });
      for (const { id } of page.items) ids.add(id);
      // Yields to the event loop between thousands of pages.
      await turn(undefined, { signal });
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
  };
  await collect(query);
  if (query.from === undefined || query.from < began) await collect({ ...query, from: began });
  return [...ids];
}

type ConversationFilters = Omit<ConversationQuery, "limit" | "cursor">;

async function* exports(
  ids: readonly string[],
  rules: readonly RedactionRule[],
  stores: Pick<Services, "conversations" | "bookmarks" | "scores" | "notes" | "longReads">,
): AsyncGenerator<Uint8Array, undefined> {
  for (const id of ids) {
    const conversation = await exportedOf(id, rules, stores);
    if (!conversation) throw new Error(`The conversation ${id} was in the list and is gone`);
    yield* exportOf(conversation, rules, stores.longReads);
  }
}
