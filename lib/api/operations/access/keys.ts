import { z } from "zod";
import type { ApiKey } from "../../../../db/access.ts";
import { actorOf, SCOPES } from "../../../access/caller.ts";
import { listOf } from "../../../session/json/list.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { instant } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { invalidInput } from "../../sentences.ts";
import { accessName } from "./sign-in.ts";

const time = z.iso.datetime();

/** An API key, without its secret. */
export const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  shown: z.string().describe("The prefix of the key."),
  scopes: z.array(z.enum(SCOPES)),
  created_at: time,
  created_by: z.string(),
  expires_at: time.nullable(),
  used_at: time.nullable().describe("Precise to the minute."),
  revoked_at: time.nullable(),
}) satisfies z.ZodType<ApiKey>;

/** Lists API keys. */
export const listKeys = operation({
  name: "listKeys",
  permission: "admin",
  method: "GET",
  path: "/api/keys",
  summary: "Lists API keys, newest first, including revoked and expired ones.",
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(apiKey) }) } },
  run: async (_input, { keys }) => answerJson({ items: await keys.list() }),
});

/** Creates an API key. */
export const postKey = operation({
  name: "postKey",
  permission: "admin",
  method: "POST",
  path: "/api/keys",
  summary: "Creates an API key. Only this response contains it.",
  body: jsonBody(
    z.strictObject({
      name: accessName,
      scopes: listOf(z.enum(SCOPES))
        .min(1, "must name at least one scope")
        .transform((scopes) => SCOPES.filter((scope) => scopes.includes(scope)))
        .describe("`ingest` records what agents do, `read` reads, `decide` approves and denies."),
      expires_at: instant.nullish().describe("The expiry time; by default the key does not expire."),
    }),
  ),
  answers: {
    201: { description: "The created key, in `key`.", schema: apiKey.extend({ key: z.string() }) },
    409: refusal("The name is or was in use."),
  },
  async run({ body: { name, scopes, expires_at = null }, requester, audit }, { keys, access }) {
    const until = expires_at === null ? null : Date.parse(expires_at);
    if (until !== null && until <= Date.now())
      throw invalidInput([{ path: "/expires_at", message: "must be in the future" }]);
    const { key, ...kept } = access.newKey();
    const made = await keys.add({ name, scopes, expires_at: until, created_by: actorOf(requester.caller), ...kept });
    await audit({ action: "key.made", target: `key:${name}`, after: { scopes, expires_at } });
    return answerJson({ ...made, key }, 201);
  },
});

/** Revokes an API key. */
export const deleteKey = operation({
  name: "deleteKey",
  permission: "admin",
  method: "DELETE",
  path: "/api/keys/{id}",
  summary: "Revokes a key. It stays in the list.",
  params: z.object({ id: z.string() }),
  answers: {
    204: { description: "The key is revoked." },
    404: refusal("The key does not exist."),
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
