import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { storageEnvironment } from "../../../db/postgres/testing/for-data-dir.ts";
import { ROOT } from "../../../scripts/process.mjs";
import { ENDS, talkAs, until } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

// The bundled demo portal, scripted model, and agent.
const server = withServer();

/** `npm run check -- --replay`, beside the server. */
async function replays(): Promise<{ ok: boolean; examined: string; faults: string[] }> {
  const env = { ...process.env, OBELUS_DATA_DIR: server.dataDir, ...(await storageEnvironment(server.dataDir)) };
  const args = ["scripts/commands/main.ts", "check", "--replay", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  const { checks } = JSON.parse(stdout);
  return checks.find(({ name }: { name: string }) => name === "replay");
}

it("P23: the runs of a server, given their recorded answers again, make the same events", async () => {
  const read = await server.post("/api/plans/run", {
    plan: [
      { _tool: "crm.deal.get", _id: "get", id: 123, _outputPath: "†state.deal" },
      { _tool: "crm.deal.get", _id: "none", id: 999999, _outputPath: "†state.other || †state.error" },
    ],
  });
  await until(server, read.body, ENDS);

  const anna = await talkAs(server, "anna");
  const asked = await anna.turn("Измени сумму сделки 123 на 150000");
  const [waiting] = await anna.waiting();
  expect((await anna.decide(waiting.id, { decision: "approve" })).status).toBe(200);
  await anna.ended(asked);

  const boris = await talkAs(server, "boris");
  const cancelled = await boris.turn("Измени сумму сделки 124 на 1");
  expect((await server.post(`/api/runs/${cancelled}/cancel`, {})).status).toBe(202);
  await boris.ended(cancelled);

  expect(await replays()).toMatchObject({ ok: true, examined: "3 runs", faults: [] });
});
