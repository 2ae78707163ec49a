import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import { readConfig } from "../config.ts";
import { openBundledServers } from "./bundled-servers.ts";

const logger = pino({ level: "silent" });
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "obelus-outside-"));
});
afterEach(() => rm(dataDir, { recursive: true }));

const open = (env: Record<string, string> = {}) =>
  openBundledServers(readConfig({ OBELUS_DATA_DIR: dataDir, ...env }), { openEgress: createEgressPolicy([]), logger });
const { signal } = new AbortController();

it("M14, D7: without configuration the bundled portal and model are used", async () => {
  const { crm, model, close } = await open();
  try {
    expect((await crm.call("crm.deal.get", { id: 123 }, { signal })).result).toMatchObject({ ID: "123" });
    const parts = [];
    const input = [{ role: "user", content: "hello" }];
    const asked = { instructions: null, input, tools: [], format: null, previous_response_id: null, store: false };
    for await (const part of model.respond(asked, signal)) parts.push(part.type);
    expect(parts.at(-1)).toBe("done");
  } finally {
    await close();
  }
});

it("a configured portal replaces the bundled one, which is not started", async () => {
  const { close } = await open({ BITRIX24_WEBHOOK_URL: "http://127.0.0.1:1/rest/1/secret/" });
  await close();
  await expect(readFile(join(dataDir, "portal.db"))).rejects.toMatchObject({ code: "ENOENT" });
});

it("damaged data of the bundled portal is reported with a remedy, and kept", async () => {
  const file = join(dataDir, "portal.db");
  await writeFile(file, "garbage".repeat(1_000));
  await expect(open()).rejects.toMatchObject({ name: "StartupError", message: expect.stringContaining(file) });
  expect(await readFile(file, "utf8")).toContain("garbage");
});
