import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { talkAs } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

// The bundled demo portal, scripted model, and agent.
const server = withServer({ OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" });
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "obelus-suite-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Done {
  code: number;
  stdout: string;
  stderr: string;
}

/** `npm run suite -- …`, with a scripted model of its own. */
function suite(args: string[], more: Record<string, string> = {}): Promise<Done> {
  const env = {
    ...process.env,
    OBELUS_URL: server.url,
    OBELUS_DATA_DIR: join(folder, "data"),
    OBELUS_LOG_LEVEL: "silent",
    ...more,
  };
  return promisify(execFile)(process.execPath, ["scripts/commands/main.ts", "suite", ...args], { cwd: ROOT, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

it("a session becomes a case, and says what a changed agent does otherwise", async () => {
  const anna = await talkAs(server, "anna");
  await anna.ended(
    await anna.turn("Измени сумму сделки 123 на 150000").then(async (run) => {
      const [asked] = await anna.waiting();
      await anna.decide(asked.id, { decision: "approve" });
      return run;
    }),
  );
  const file = join(folder, "deals.json");
  expect(await suite(["save", "anna", file, "--title", "Amount of a deal"])).toMatchObject({ code: 0, stderr: "" });
  const { cases } = JSON.parse(await readFile(file, "utf8"));
  expect(cases).toMatchObject([
    { title: "Amount of a deal", turns: [{ message: "Измени сумму сделки 123 на 150000" }] },
  ]);

  const [summary, junit] = [join(folder, "summary.md"), join(folder, "junit.xml")];
  const same = await suite([file, "--agent", "agents/crm.json", "--tries", "3", "--junit", junit], {
    GITHUB_STEP_SUMMARY: summary,
  });
  expect(same).toMatchObject({ code: 0, stdout: expect.stringContaining("✓ Amount of a deal (3/3)") });
  expect(same.stdout).toContain("Nothing was sent outside.");
  expect(await readFile(junit, "utf8")).toContain('tests="1" failures="0"');
  expect(await readFile(summary, "utf8")).toContain("1 of 1 cases passed");

  const agent = JSON.parse(await readFile(join(ROOT, "agents/crm.json"), "utf8"));
  const changed = join(folder, "crm.json");
  await writeFile(changed, JSON.stringify({ ...agent, tools: ["crm.deal.get"] }));
  const other = await suite([file, "--agent", changed, "--unrecorded", "nearest"]);
  expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ Amount of a deal (0/1)") });
  expect(other.stdout).toContain("It made other calls than recorded");

  // Nothing was changed by the tries.
  expect((await server.get("/api/conversations?limit=100")).body.items.map(({ id }: { id: string }) => id)).toEqual([
    "anna",
  ]);
});

it("says what is wrong with its arguments", async () => {
  const none = await suite([join(folder, "none.json"), "--agent", "agents/crm.json"]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("There is no file") });
  const unknown = await suite(["save", "nobody", join(folder, "x.json")]);
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("nobody") });
});

describe("GET /api/conversations/{id}/case", () => {
  const said = (id: string, role: string, content: string) => ({
    ...{ conversation_id: id, type: "message.created", payload: { message_id: `${id}-${role}`, role, content } },
  });

  it("has the definitions of tools that were registered, without their addresses", async () => {
    const tool = { name: "lookup", description: "Looks up", schema: { type: "object" } };
    const activity = { type: "http", url: "http://127.0.0.1:9/lookup", headers: { authorization: "Bearer abc" } };
    expect((await server.post("/api/tools", { ...tool, activity })).status).toBe(201);
    const call = { conversation_id: "tools", run_id: "tools-r", type: "call.started" };
    const events = [
      said("tools", "user", "Hi"),
      { ...call, payload: { call_id: "l", tool: "lookup", params: { id: 1 } } },
    ];
    expect((await server.post("/api/events", events)).status).toBe(201);
    const { status, headers, body } = await server.get("/api/conversations/tools/case?title=Lookup");
    expect([status, headers.get("content-disposition")]).toEqual([200, 'attachment; filename="tools.suite.json"']);
    expect(body).toMatchObject({
      name: "tools",
      tools: [{ ...tool, requires_confirmation: false }],
      cases: [{ title: "Lookup" }],
    });
    expect(JSON.stringify(body)).not.toContain("authorization");
  });

  it("says why a session is no case", async () => {
    expect((await server.post("/api/events", [said("unanswered", "user", "Hello?")])).status).toBe(201);
    const { status, body } = await server.get("/api/conversations/unanswered/case");
    expect([status, body.detail]).toEqual([
      409,
      "The session unanswered cannot be saved as a case. No user's message after this step was answered; choose an earlier step.",
    ]);
    expect((await server.get("/api/conversations/nobody/case")).status).toBe(404);
    expect((await server.get("/api/conversations/unanswered/case?step=-1")).status).toBe(400);
  });
});
