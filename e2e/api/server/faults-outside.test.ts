import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fakePortal } from "../../../lib/crm/testing/fake-portal.ts";
import { type ResponsesServer, startResponsesServer } from "../../../lib/model/testing/responses-server.ts";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { talkAs } from "../setup/crm-talk.ts";
import { withoutReplica } from "../setup/metrics.ts";
import { withServer } from "../setup/server.ts";

const DEAL = { ID: "123", TITLE: "Servers", CURRENCY_ID: "RUB", STAGE_ID: "NEW", OPPORTUNITY: "1.00" };

/** Whether the model and the portal hang or respond. */
let hangs = true;

const said = ({ input }: JsonObject) => JSON.stringify(input);
const never = new Promise<void>(() => undefined);

describe("Faults: a model that hangs", () => {
  let model: ResponsesServer;
  beforeAll(async () => {
    hangs = true;
    model = await startResponsesServer((body) => {
      if (hangs && said(body).includes("say nothing")) return { silent: true };
      const items = [{ text: "Here I am, as I was." }];
      if (!hangs || !said(body).includes("stop half-way")) return { items };
      return { items, delta: 4, before: (_type, sequence) => (sequence > 6 ? never : undefined) };
    });
  });
  afterAll(() => model.close());
  const server = withServer({
    OBELUS_MODEL: "gpt",
    get OBELUS_MODEL_BASE_URL() {
      return model.baseUrl;
    },
  });

  it("P23: others are served meanwhile, the server stops anyway, and its turns are answered after the restart", async () => {
    const silent = await talkAs(server, "silent");
    const half = await talkAs(server, "half");
    const other = await talkAs(server, "other");
    const turns = [await silent.say("say nothing"), await half.say("stop half-way")];
    await vi.waitFor(() => expect(model.requests).toHaveLength(2));

    await other.turn("are you there?");
    expect(await other.answers()).toEqual(["Here I am, as I was."]);
    expect(withoutReplica((await server.get("/api/metrics")).body)).toMatch(/^obelus_runs_open 2$/m);

    const began = performance.now();
    await server.restart("SIGTERM", async () => {
      console.log(`stopped after ${Math.round(performance.now() - began)} ms`);
      hangs = false;
    });
    await Promise.all([silent.ended(turns[0] ?? ""), half.ended(turns[1] ?? "")]);
    // Nothing of the partial answer is left.
    for (const talk of [silent, half]) expect(await talk.answers()).toEqual(["Here I am, as I was."]);
  });
});

describe("Faults: a CRM that hangs", () => {
  let portal: Awaited<ReturnType<typeof fakePortal>>;
  beforeAll(async () => {
    hangs = true;
    portal = await fakePortal({
      "crm.deal.get": () => (hangs ? "hang" : { result: DEAL }),
      "crm.deal.list": () => ({ result: [DEAL] }),
    });
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const server = withServer({
    get BITRIX24_WEBHOOK_URL() {
      return portal.webhookUrl;
    },
  });

  it("M14: others are served meanwhile, the server stops anyway, and the turn continues after the restart", async () => {
    const stuck = await talkAs(server, "stuck");
    const run = await stuck.say("покажи сделку 123");
    await vi.waitFor(() => expect(portal.asked.some(({ method }) => method === "crm.deal.get")).toBe(true));
    const other = await talkAs(server, "other");
    await other.turn("список сделок");
    expect((await other.answers()).at(-1)).toContain("Servers");

    const began = performance.now();
    await server.restart("SIGTERM", async () => {
      console.log(`stopped after ${Math.round(performance.now() - began)} ms`);
      hangs = false;
    });
    await stuck.ended(run);
    expect((await stuck.answers()).at(-1)).toContain("Servers");
  });
});
