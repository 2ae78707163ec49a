import { beforeAll, describe, expect, it } from "vitest";
import { getOpenApi } from "../../../lib/api/operations/get-openapi.ts";
import { operations } from "../../../lib/api/operations.ts";
import { VARIABLES } from "../../../lib/server/config.ts";
import { OWN_AGENTS } from "../../../lib/session/own-agents.ts";
import { readEvents } from "../setup/event-source.ts";
import { type CallerName, PAGES } from "../setup/matrix.ts";
import { addPeople, type Credentials, signIn } from "../setup/people.ts";
import { logEvent, withServer } from "../setup/server.ts";

/** Part of every secret, and nothing else. */
const CANARY = "canary0123456789";
/** Nothing listens there. */
const NOWHERE = "127.0.0.1:9";

const SECRETS: Record<string, string> = {
  OBELUS_MODEL_API_KEY: CANARY,
  OBELUS_OIDC_CLIENT_SECRET: CANARY,
  OBELUS_NOTICE_WEBHOOK_URL: `http://${NOWHERE}/${CANARY}`,
  OBELUS_NOTICE_WEBHOOK_SECRET: `whsec_${CANARY}${CANARY}`,
  OBELUS_SECRET: Buffer.from(CANARY.padEnd(32)).subarray(0, 32).toString("hex"),
  OBELUS_SMTP_URL: `smtp://obelus:${CANARY}@${NOWHERE}`,
  BITRIX24_WEBHOOK_URL: `https://${NOWHERE}/rest/1/${CANARY}/`,
  TELEGRAM_BOT_TOKEN: `123:${CANARY}`,
  TELEGRAM_WEBHOOK_SECRET: CANARY,
};

let callers: Map<CallerName, Credentials>;
const server = withServer(
  {
    ...SECRETS,
    ...{ OBELUS_AUTH: "1", OBELUS_MODEL: "m", OBELUS_MODEL_BASE_URL: `http://${NOWHERE}/v1`, OBELUS_DEMO: "1" },
    ...{
      OBELUS_OIDC_ISSUER: `http://${NOWHERE}`,
      OBELUS_OIDC_CLIENT_ID: "obelus",
      OBELUS_OIDC_DEFAULT_ROLE: "viewer",
      TELEGRAM_API_ROOT: `http://${NOWHERE}`,
    },
    ...{
      OBELUS_PUBLIC_URL: "http://127.0.0.1:3000",
      OBELUS_PRIVATE_HOSTS: "127.0.0.1",
      OBELUS_HTTP_TOOL_HOSTS: NOWHERE,
      OBELUS_LOG_LEVEL: "trace",
    },
    ...{ OBELUS_NOTICE_MAIL_FROM: "obelus@example.org", OBELUS_NOTICE_MAIL_TO: "anna@example.org" },
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${CANARY}`,
  },
  {
    logs: true,
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);
let admin: Credentials;
beforeAll(async () => {
  await signIn(server.url, callers);
  admin = callers.get("admin") ?? {};
});

describe("Security: no secret of the configuration or of a tool is shown", () => {
  it("covers every variable with a secret", () => {
    const secret = /KEY|SECRET|TOKEN|PASSWORD|WEBHOOK_URL|SMTP_URL/;
    const all = VARIABLES.filter((name) => secret.test(name) && name !== "OBELUS_AGENT_TOKENS_PER_DAY");
    expect(all.sort()).toEqual(Object.keys(SECRETS).sort());
  });

  it("not in pages, Next's requests, API responses, or the log", async () => {
    const tool = {
      name: "charge",
      schema: { type: "object" },
      activity: { type: "http", url: `http://${NOWHERE}/`, headers: { authorization: `Bearer ${CANARY}` } },
    };
    expect((await server.post("/api/tools", tool, admin)).status).toBe(201);
    // Runs and turns that fail because of unreachable servers.
    const run = await server.post("/api/plans/run", { plan: [{ _tool: "charge" }] }, admin);
    expect(run.status).toBe(202);
    await server.post("/api/conversations", { id: "talk" }, admin);
    await server.post("/api/conversations/talk/messages", { content: "Hello" }, admin);
    await server.post("/api/events", [logEvent("c-1", 1)], admin);
    const reader = await readEvents(server.url, "/api/stream?after=0", admin);
    await reader.find(({ type, data }) => type === "run.failed" && data.run_id === run.body.run_id);
    reader.close();

    const shown: string[] = [];
    const look = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}${path}`, { headers: { ...admin, ...headers }, redirect: "manual" });
      const isStream = answer.headers.get("content-type") === "text/event-stream";
      const text = isStream ? "" : await answer.text();
      await (isStream && answer.body?.cancel());
      if (JSON.stringify([...answer.headers]).includes(CANARY) || text.includes(CANARY)) shown.push(path);
    };
    const ids = ["c-1", "talk", run.body.conversation_id];
    const addresses = [...operations, getOpenApi].filter(({ method }) => method === "GET").map(({ path }) => path);
    for (const id of ids)
      for (const address of [...addresses, ...Object.keys(PAGES)]) {
        const path = address
          .replace("/runs/{id}", `/runs/${run.body.run_id}`)
          .replace(/[{[]id[}\]]/, encodeURIComponent(id))
          .replace("{agent_id}", encodeURIComponent(OWN_AGENTS.tools))
          .replace("{key}", "charge")
          .replaceAll(/\{\w+\}/g, "1");
        // Responses of paths without a conversation are equal.
        if (id !== ids[0] && path === address) continue;
        await look(path);
        if (!path.startsWith("/api/")) await look(`${path}?_rsc=1`, { rsc: "1" });
      }
    for (const agent of Object.values(OWN_AGENTS)) await look(`/api/agent-state?agent_id=${encodeURIComponent(agent)}`);
    expect(shown).toEqual([]);
    expect((await server.log()).split("\n").filter((line) => line.includes(CANARY))).toEqual([]);
  });
});
