import { z } from "zod";
import type { ApiKey } from "../../../db/access.ts";
import { actorOf, SCOPES } from "../../access/caller.ts";
import { listOf } from "../../session/list.ts";
import { answerJson } from "../answer.ts";
import { problem } from "../answers.ts";
import { instant } from "../fields.ts";
import { jsonBody, noBody, noParams, noQuery, operation } from "../operation.ts";
import { Problem } from "../problem.ts";
import { invalidInput } from "../sentences.ts";
import { accessName } from "./sign-in.ts";

const time = z.iso.datetime();

/** A program's key, without what it is. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  shown: z.string().describe("How it begins."),
  scopes: z.array(z.enum(SCOPES)),
  created_at: time,
  created_by: z.string(),
  expires_at: time.nullable(),
  used_at: time.nullable().describe("To the minute."),
  revoked_at: time.nullable(),
}) satisfies z.ZodType<ApiKey>;

/** Lists the keys of programs. */
export const listKeys = operation({
  name: "listKeys",
  permission: "admin",
  method: "GET",
  path: "/api/keys",
  summary: "Lists the keys of programs, the newest first, with those that were revoked or have expired.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(apiKey) }) } },
  run: async (_input, { keys }) => answerJson({ items: await keys.list() }),
});

/** Makes a key. */
export const postKey = operation({
  name: "postKey",
  permission: "admin",
  method: "POST",
  path: "/api/keys",
  summary: "Makes a key for a program. This answer is the only one that has it.",
  params: noParams,
  query: noQuery,
  body: jsonBody(
    z.strictObject({
      name: accessName,
      scopes: listOf(z.enum(SCOPES))
        .min(1, "must name a scope at least")
        .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
        .describe("`ingest` tells what agents do, `read` looks, `decide` approves and denies."),
      expires_at: instant.nullish().describe("Until when it holds; for ever by default."),
    }),
  ),
  answers: {
    201: { description: "The key, in `key`.", schema: apiKey.extend({ key: z.string() }) },
    409: { description: "A key has or had the name.", type: "application/problem+json", schema: problem },
  },
  async run({ body: { name, scopes, expires_at = null }, requester, audit }, { keys, access }) {
    const until = expires_at === null ? null : Date.parse(expires_at);
    if (until !== null && until <= Date.now())
      throw invalidInput([{ path: "/expires_at", message: "must be a time to come" }]);
    const { key, ...kept } = access.newKey();
    const made = await keys.add({ name, scopes, expires_at: until, created_by: actorOf(requester.caller), ...kept });
    await audit({ action: "key.made", target: `key:${name}`, after: { scopes, expires_at } });
    return answerJson({ ...made, key }, 201);
  },
});

/** Revokes a key. */
export const deleteKey = operation({
  name: "deleteKey",
  permission: "admin",
  method: "DELETE",
  path: "/api/keys/{id}",
  summary: "Revokes a key: it opens nothing from now on. It stays in the list.",
  params: z.object({ id: z.string() }),
  query: noQuery,
  body: noBody,
  answers: {
    204: { description: "It is revoked, now or before." },
    404: { description: "There is no such key.", type: "application/problem+json", schema: problem },
  },
  async run({ params: { id }, audit }, { keys, access }) {
    const before = await keys.get(id);
    if (!before) throw new Problem("not_found", `There is no key ${id}.`);
    await keys.revoke(id);
    if (before.revoked_at === null) await audit({ action: "key.revoked", target: `key:${before.name}` });
    await access.rightsChanged();
    return new Response(null, { status: 204 });
  },
});
