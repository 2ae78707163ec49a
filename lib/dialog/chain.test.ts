import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openStorage } from "../../db/sqlite/open.ts";
import type { Storage } from "../../db/storage.ts";
import type { StoredChain } from "../engine/turn.ts";
import type { Json } from "../session/json/json.ts";
import { createChains } from "./chain.ts";

const CHAIN: StoredChain = { response_id: "resp_1", agent_id: "admin", run_id: "r1", answers: 4, until: 5 };

let folder = "";
let storage: Storage;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-chain-"));
  const logger = pino({ level: "silent" });
  storage = await openStorage({ dataDir: folder, durability: "normal", onCommit: () => undefined, logger });
});
afterEach(async () => {
  await storage.close();
  await rm(folder, { recursive: true });
});

let count = 0;
async function write(payload: Json): Promise<void> {
  count += 1;
  await storage.log.append([
    {
      ...{ id: `e${count}`, conversation_id: "c", type: "agent_state.written", payload, occurred_at: null },
      ...{ actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null },
    },
  ]);
}

describe("D7: the response that a conversation continues from", () => {
  it("is agent state of its own dialog", async () => {
    const chains = createChains(storage.agentStates);
    expect(await chains.recall("c")).toBeNull();
    await write(chains.chain("c", CHAIN));
    expect(await chains.recall("c")).toEqual(CHAIN);
    expect((await storage.agentStates.get("dialog:c", "response_id"))?.value).toEqual(CHAIN);
    expect(await chains.recall("d")).toBeNull();
  });

  it("is gone once dropped", async () => {
    const chains = createChains(storage.agentStates);
    await write(chains.chain("c", CHAIN));
    await write(chains.chain("c", null));
    expect(await chains.recall("c")).toBeNull();
  });

  it.each<Json>(["resp_1", { ...CHAIN, until: "5" }, { ...CHAIN, response_id: "" }, [{ ...CHAIN }]])(
    "is nothing where somebody has written %j",
    async (value) => {
      const chains = createChains(storage.agentStates);
      await write({ ...chains.chain("c", null), value });
      expect(await chains.recall("c")).toBeNull();
    },
  );
});
