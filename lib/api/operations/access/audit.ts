import { z } from "zod";
import type { AuditEntry, AuditQuery, AuditStore } from "../../../../db/access.ts";
import { AUDIT_ACTIONS } from "../../../access/audit.ts";
import { answerJson } from "../../answers/answer.ts";
import { page } from "../../answers/answers.ts";
import { cursor, instant, limit } from "../../fields.ts";
import { operation } from "../../operation.ts";
import { textStream } from "../../stream/text-stream.ts";
import { ndjsonFile } from "../conversations/export-conversation.ts";

/** Entries per page of an export. */
const A_PAGE = 200;

const values = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]))
  .nullable();

/** An audit entry. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.enum(AUDIT_ACTIONS),
  actor: z.string().describe("`operator:anna`, `key:billing`; `operator:console` where nobody signs in."),
  address: z.string().describe("The client's address."),
  request_id: z.string().describe("The request id, as in the server's log."),
  target: z.string().nullable().describe("The affected object, by kind and id: `conversation:c-1`."),
  before: values.describe("The changed values, before."),
  after: values.describe("The changed values, after."),
  erased: z.boolean().describe("The subject was erased: target, before and after are gone."),
}) satisfies z.ZodType<AuditEntry>;

const name = z.string().min(1, "must not be empty").max(400);

const filters = {
  action: z.enum(AUDIT_ACTIONS).optional(),
  actor: name.optional().describe("The actor: `operator:anna`, `key:billing`."),
  target: name.optional().describe("The affected object: `conversation:c-1`."),
  from: instant.optional().describe("At or after."),
  to: instant.optional().describe("Before."),
};

/** Lists audit entries. */
export const listAudit = operation({
  name: "listAudit",
  permission: "admin",
  method: "GET",
  path: "/api/audit",
  summary: "Lists audit entries: who did what, when and from where, newest first.",
  query: z.strictObject({ ...filters, cursor: cursor.optional(), limit }),
  answers: { 200: { description: "A page of entries.", schema: page(auditEntry) } },
  run: async ({ query }, { audit }) => answerJson(await audit.list(query)),
});

/** Exports all matching audit entries; the export itself is audited. */
export const exportAudit = operation({
  name: "exportAudit",
  permission: "admin",
  method: "GET",
  path: "/api/audit/export",
  summary: "Exports the matching audit entries as NDJSON, newest first. The export itself is audited.",
  query: z.strictObject(filters),
  answers: { 200: { description: "The entries, one per line.", type: "application/x-ndjson" } },
  async run({ query, audit: write }, { audit }) {
    const { target = null, ...others } = query;
    await write({ action: "audit.exported", target, after: others });
    return new Response(textStream(lines(audit, query)), {
      headers: ndjsonFile(`obelus-audit-${new Date().toISOString().slice(0, 10)}`),
    });
  },
});

async function* lines(audit: AuditStore, filters: Omit<AuditQuery, "limit" | "cursor">): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const page = await audit.list({ ...filters, limit: A_PAGE, ...(cursor !== null && { cursor }) });
    for (const entry of page.items) yield `${JSON.stringify(entry)}\n`;
    cursor = page.next;
  } while (cursor !== null);
}
