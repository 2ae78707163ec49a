import { z } from "zod";
import type { Conversation } from "../../../../db/repositories.ts";
import { createYielder } from "../../../event-loop/yielding.ts";
import { csvLine } from "../../answers/csv.ts";
import { auditReading } from "../../audited.ts";
import { operation } from "../../operation.ts";
import { conversationFilters, conversationOrder } from "./list-conversations.ts";
import { listQuery } from "./list-query.ts";

const A_PAGE = 200;
/** More rows than anybody reads in a table; the export has all of them. */
const MOST_ROWS = 10_000;

const COLUMNS: Record<string, (conversation: Conversation) => string | number | null> = {
  id: ({ id }) => id,
  title: ({ title, subject }) => title ?? subject,
  status: ({ status }) => status,
  channel: ({ channel }) => channel,
  user: ({ user_id }) => user_id,
  agent: ({ agent_id }) => agent_id,
  stage: ({ stage }) => stage,
  messages: ({ message_count }) => message_count,
  calls: ({ call_count }) => call_count,
  errors: ({ error_count }) => error_count,
  assignee: ({ queue }) => queue?.assignee ?? null,
  tags: ({ queue }) => queue?.tags.join(", ") ?? null,
  due_at: ({ queue }) => queue?.due_at ?? null,
  scores: ({ scores }) => scores.map(({ name, value }) => `${name}: ${value}`).join(", "),
  created_at: ({ created_at }) => created_at,
  updated_at: ({ updated_at }) => updated_at,
  duration_ms: ({ created_at, updated_at }) => Date.parse(updated_at) - Date.parse(created_at),
  tokens: ({ tokens }) => tokens,
  cost: ({ cost }) => cost,
};

const NAMES = Object.keys(COLUMNS);

const columns = z
  .string()
  .max(500)
  .transform((text) => [...new Set(text.split(","))])
  .pipe(z.array(z.enum(NAMES)).min(1))
  .optional()
  .describe(`The columns, separated by commas, in their order: ${NAMES.join(", ")}. All by default.`);

/** Exports the list as CSV. */
export const exportTable = operation({
  name: "exportTable",
  permission: "read",
  method: "GET",
  path: "/api/export/csv",
  summary:
    "Exports the first 10,000 matching conversations of the list as CSV, in its order, one a row, without their events.",
  query: z.strictObject({ ...conversationFilters, ...conversationOrder, columns }),
  answers: { 200: { description: "The rows, in UTF-8 with a byte order mark.", type: "text/csv" } },
  async run({ query: { columns = NAMES, ...query }, requester: { caller }, audit }, { conversations, logger }) {
    const lines = [csvLine(columns)];
    const cells = columns.flatMap((name) => COLUMNS[name] ?? []);
    const asked = listQuery(query, caller);
    let cursor: string | null = null;
    const yielder = createYielder();
    do {
      if (yielder.isDue()) await yielder.yieldOnce();
      const page = await conversations.list({ ...asked, limit: A_PAGE, ...(cursor !== null && { cursor }) });
      for (const row of page.items) lines.push(csvLine(cells.map((cell) => cell(row))));
      cursor = page.next;
    } while (cursor !== null && lines.length <= MOST_ROWS);
    const action = { action: "conversations.exported", target: null, after: { rows: lines.length - 1 } } as const;
    await auditReading(action, audit, { logger });
    // Without the mark spreadsheets take it for another encoding.
    return new Response(`\ufeff${lines.join("")}`, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="obelus-${new Date().toISOString().slice(0, 10)}.csv"`,
        "cache-control": "no-store",
      },
    });
  },
});
