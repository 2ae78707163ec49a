import { execFile } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeServer, refusal } from "../../../lib/client/testing/fake-server.ts";
import { ROOT } from "../../../scripts/process.mjs";
import { stageClients } from "../../../scripts/stage-clients.mjs";
import { temporaryDirectory, withServer } from "../setup/server.ts";

const run = promisify(execFile);
const isThere = (program: string, ...args: string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  );
const hasPython = await isThere("python3", "-c", "import sys; assert sys.version_info >= (3, 9)");
const hasMypy = await isThere("mypy", "--version");

const server = withServer();
/** Where both packages are installed, as in another program. */
let folder = "";
let version = "";

beforeAll(async () => {
  folder = await temporaryDirectory();
  version = await stageClients(join(folder, "staged"));
  const quiet = ["--loglevel=error", "--no-audit", "--no-fund"];
  await run("npm", ["pack", "./staged/npm", ...quiet], { cwd: folder });
  await mkdir(join(folder, "program"));
  await writeFile(join(folder, "program/package.json"), JSON.stringify({ private: true, type: "module" }));
  const tarball = `../obelus-client-${version}.tgz`;
  await run("npm", ["install", "--offline", tarball, ...quiet], { cwd: join(folder, "program") });
});
afterAll(() => rm(folder, { recursive: true }));

const here = (...path: string[]) => join(folder, "program", ...path);

async function runModule(name: string, code: string, ...options: string[]): Promise<string> {
  await writeFile(here(name), code);
  const { stdout, stderr } = await run(process.execPath, [...options, name], { cwd: here() });
  expect(stderr).toBe("");
  return stdout;
}

/** Runs a Python program that has the installed package; returns its output. Whatever it logs is an error. */
async function runPython(code: string): Promise<string> {
  await writeFile(here("program.py"), code);
  const env = { ...process.env, PYTHONPATH: join(folder, "staged/python"), PYTHONWARNINGS: "error" };
  const { stdout, stderr } = await run("python3", ["program.py"], { cwd: here(), env });
  expect(stderr).toBe("");
  return stdout;
}

const viewOf = async (id: string) => (await server.get(`/api/conversations/${id}/view`)).body;

/** The snippets of a page in a language, with the address of the test's server. */
async function snippetsOf(page: string, language: string): Promise<string[]> {
  const text = await readFile(join(ROOT, page), "utf8");
  const found = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, name]) => name === language);
  return found.map(([, , code = ""]) => code.replaceAll("http://127.0.0.1:3000", server.url));
}

const outcomes = ({ calls }: { calls: { tool: string; status: string }[] }) =>
  calls.map(({ tool, status }) => `${tool} ${status}`);

describe("obelus-client of npm", () => {
  test("Run: the package has the server's version, its licence, a README and no dependency", async () => {
    const manifest = JSON.parse(await readFile(here("node_modules/obelus-client/package.json"), "utf8"));
    const own = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "obelus-client", version: own.version, license: "MIT" });
    expect(manifest.dependencies).toBeUndefined();
    for (const file of ["LICENSE", "README.md", "dist/client.js", "dist/client.d.ts"])
      expect((await readFile(here("node_modules/obelus-client", file), "utf8")).length, file).toBeGreaterThan(100);
  });

  test("C3: snippets of the documentation run in JavaScript, and record and read what they say", async () => {
    const pages = ["docs/client.md", "packaging/client/README.md"];
    const snippets = (await Promise.all(pages.map((page) => snippetsOf(page, "ts")))).flat();
    expect(snippets).toHaveLength(4);
    const outputs: string[] = [];
    // As plain JavaScript: they have no types of their own.
    for (const [index, code] of snippets.entries()) outputs.push(await runModule(`snippet-${index}.mjs`, code));
    expect((await viewOf("first-ts")).messages).toMatchObject([{ role: "user", content: "Where is my order?" }]);
    expect(outcomes(await viewOf("order-17"))).toContain("parcels.track failed");
    expect(outputs[2]).toMatch(/^1 conversation\.created$/m);
    expect(outputs[2]).toContain("idle 13 [ 'orders.find succeeded', 'parcels.track failed' ]");
  });

  test("it runs without a global crypto, as in Node 18", async () => {
    const code = `import { ObelusClient } from "obelus-client";
const client = new ObelusClient({ url: "${server.url}", strict: true });
const ids = [1, 2, 3].map((n) => client.event({ conversation_id: "old-node", type: "log", payload: { n } }));
await client.close();
console.log(typeof crypto, new Set(ids).size);`;
    expect(await runModule("old.mjs", code, "--import=data:text/javascript,delete globalThis.crypto")).toBe(
      "undefined 3\n",
    );
  });

  test.each([
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ])("its types check a program, with the module resolution of %s", async (module, moduleResolution) => {
    const code = `import { type Dropped, type Json, ObelusClient, ObelusError, type View } from "obelus-client";
const client = new ObelusClient({ url: "http://127.0.0.1:1", onDropped: ({ reason }: Dropped) => console.log(reason) });
const id: string = client.event({ conversation_id: "c", type: "conversation.titled", payload: { title: "x" } });
// @ts-expect-error: no such field.
client.event({ conversation_id: "c", type: "conversation.titled", payload: { titel: "x" } });
// @ts-expect-error: the role is not known.
client.message({ conversation_id: "c", role: "robot", content: id });
const view: View = await client.getView("c");
const state: Json = view.state[""] ?? null;
export const status: number | null = new ObelusError("x").status;
export { state };
`;
    await writeFile(here("typed.ts"), code);
    const options = { strict: true, noEmit: true, module, moduleResolution, target: "es2022", types: [] };
    const lib = ["es2022", "dom"];
    await writeFile(
      here("tsconfig.json"),
      JSON.stringify({ compilerOptions: { ...options, lib }, files: ["typed.ts"] }),
    );
    await run(join(ROOT, "node_modules/.bin/tsc"), ["-p", here()], { cwd: here() });
  });
});

// Where Python is not at hand, these are listed as skipped.
describe.runIf(hasPython)("obelus_client for Python", () => {
  test("it has the server's version", async () => {
    expect(await runPython("import obelus_client\nprint(obelus_client.__version__)")).toBe(`${version}\n`);
  });

  test.runIf(hasMypy)("its types are complete, and check a program", async () => {
    const python = join(folder, "staged/python");
    await run("mypy", ["--strict", "--cache-dir", join(folder, "mypy"), join(python, "obelus_client/__init__.py")]);
    const snippets = await snippetsOf("docs/client.md", "python");
    await writeFile(here("typed.py"), snippets[1] ?? "");
    await run("mypy", ["--strict", "--cache-dir", join(folder, "mypy"), here("typed.py")], {
      env: { ...process.env, MYPYPATH: python },
    });
  });

  test("C3: snippets of the documentation run, and record and read what they say", async () => {
    const pages = ["docs/client.md", "packaging/python/README.md"];
    const snippets = (await Promise.all(pages.map((page) => snippetsOf(page, "python")))).flat();
    expect(snippets).toHaveLength(4);
    const outputs: string[] = [];
    for (const code of snippets) outputs.push(await runPython(code));
    expect((await viewOf("first-python")).messages).toMatchObject([{ role: "user", content: "Where is my order?" }]);
    expect(outputs[2]).toContain("idle ['succeeded', 'failed'] {'order': {'id': 17, 'parcel': 'P-4711'}}");
  });

  test("C3: both clients record the same events", async () => {
    await runModule(
      "same.mjs",
      `import { ObelusClient } from "obelus-client";
const client = new ObelusClient({ url: "${server.url}", strict: true });
const conversation = client.conversation("same-ts", { title: "Заказ", channel: "web", metadata: { a: [1, null] } });
const asked = conversation.message("user", "Where?", { user_id: "alice", metadata: { b: 2 } });
const run = conversation.run({ id: "run-same-ts", agent_id: "support", caused_by: asked, input: { text: "Where?" } });
run.call("early", {}).succeeded(null);
const model = run.model({ model: "m", provider: "p", input: [], parameters: { temperature: 0 } });
model.responded({ output: "find", input_tokens: 3, output_tokens: 1, response_id: "r", finish_reason: "stop" });
run.call("find", { id: 1 }, { output_path: "†state.order", reads: ["†input.id"] }).succeeded({ id: 1 });
run.call("tell", {}, { id: "own" }).failed(Object.assign(new Error("no line"), { code: "ENOLINE" }));
run.model({ model: "m", provider: "p" }).failed("broken");
run.write("†state.told", false);
run.says("It is on its way.");
const child = conversation.run({ id: "child-same-ts", parent_run_id: run.id });
child.cancelled("no time");
run.finished({ told: false });
conversation.run({ id: "failed-same-ts" }).failed("a word");
await client.close();`,
    );
    await runPython(`from obelus_client import ObelusClient

class NoLine(Exception):
    code = "ENOLINE"

client = ObelusClient("${server.url}", strict=True)
conversation = client.conversation("same-py", title="Заказ", channel="web", metadata={"a": [1, None]})
asked = conversation.message("user", "Where?", user_id="alice", metadata={"b": 2})
run = conversation.run(id="run-same-py", agent_id="support", caused_by=asked, input={"text": "Where?"})
run.call("early", {}).succeeded(None)
model = run.model("m", "p", input=[], parameters={"temperature": 0})
model.responded("find", input_tokens=3, output_tokens=1, response_id="r", finish_reason="stop")
run.call("find", {"id": 1}, output_path="†state.order", reads=["†input.id"]).succeeded({"id": 1})
run.call("tell", {}, id="own").failed(NoLine("no line"))
run.model("m", "p").failed("broken")
run.write("†state.told", False)
run.says("It is on its way.")
child = conversation.run(id="child-same-py", parent_run_id=run.id)
child.cancelled("no time")
run.finished({"told": False})
conversation.run(id="failed-same-py").failed("a word")
client.close()
`);
    const eventsOf = async (name: string) => {
      const { body } = await server.get(`/api/conversations/${name}/events?limit=1000`);
      const seqs = new Map(body.items.map(({ id, seq }: { id: string; seq: number }) => [id, seq]));
      // Generated ids by their places, so that causes are compared.
      const text = JSON.stringify(body.items, (key, value) =>
        ["position", "recorded_at", "occurred_at"].includes(key) ? undefined : (seqs.get(value) ?? value),
      );
      return JSON.parse(text.replaceAll(name, "same"));
    };
    const recorded = await eventsOf("same-ts");
    expect(recorded).toHaveLength(23);
    expect(await eventsOf("same-py")).toEqual(recorded);
  });

  test("nothing is lost or duplicated across failures, from several threads, in each one's order", async () => {
    await using fake = await fakeServer((request) => {
      if (request === 1) return "cut";
      if (request === 2) return { status: 503, headers: { "retry-after": "0" } };
      return request === 3 ? { status: 200, body: "<html>log in</html>" } : "stored";
    });
    const output = await runPython(`import threading
from obelus_client import ObelusClient

troubles = []
client = ObelusClient("${fake.url}", on_trouble=troubles.append)

def work(name):
    for n in range(1_000):
        client.event("log", conversation_id=name, payload={"n": n})

threads = [threading.Thread(target=work, args=(f"thread-{n}",)) for n in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert client.flush()
counts = client.close()
print(counts.stored, counts.waiting, [trouble.status for trouble in troubles], all(each.retry_in >= 0 for each in troubles))
`);
    expect(output).toBe("4000 0 [None, 503, 200] True\n");
    for (const name of [0, 1, 2, 3].map((n) => `thread-${n}`)) {
      const own = fake.stored.filter(({ conversation_id }) => conversation_id === name);
      expect(own.map(({ payload }) => payload)).toEqual(Array.from({ length: 1_000 }, (_, n) => ({ n })));
    }
    for (const { length } of fake.requests) expect(length).toBeLessThanOrEqual(1_000);
  });

  test("what cannot be recorded is reported, the rest is stored; nothing is raised unless asked for", async () => {
    await using fake = await fakeServer((_, events) => {
      const bad = events.findIndex(({ id }) => id === "named");
      if (bad >= 0) return refusal(400, [{ path: `/${bad}/payload/tool`, message: "is required" }]);
      return events.some(({ id }) => id === "unnamed") ? refusal(400) : "stored";
    });
    const output = await runPython(`from obelus_client import ObelusClient, ObelusError

def report(each):
    print(each.id, each.reason, each.detail.split(":")[0])
    raise SystemError("the agent's own")

import logging
logging.disable()
client = ObelusClient("${fake.url}", on_dropped=report, strict=True)
circle = []
circle.append(circle)
for id, payload in [("a", 1), ("circle", circle), ("named", 2), ("b", 3), ("huge", "x" * 5_300_000), ("unnamed", 4), ("c", 5)]:
    client.event("log", id=id, conversation_id="c", payload=payload)
try:
    client.flush()
except ObelusError as error:
    print(error)
print(client.flush(), dict(client.close().dropped))
client.event("log", id="late", conversation_id="c")

full = ObelusClient("http://127.0.0.1:1", max_buffered_events=1, on_dropped=report)
for id in ["d", "e"]:
    full.event("log", id=id, conversation_id="c")
print(full.flush(timeout=0.05), full.close(timeout=0.05).waiting)
`);
    const lines = output.split("\n");
    // The thread reports beside the program.
    expect([...lines.slice(0, 4).toSorted(), ...lines.slice(4)]).toEqual([
      "circle not_json Circular reference detected",
      expect.stringMatching(/^huge too_large It has \d+ bytes$/),
      "named refused /payload/tool is required",
      "unnamed refused It does not hold.",
      "log was not recorded (not_json): Circular reference detected",
      "True {'buffer_full': 0, 'refused': 2, 'too_large': 1, 'not_json': 1, 'closed': 0}",
      "late closed The client is closed",
      "e buffer_full 1 events wait to be sent",
      "d closed Its time was over before it was sent",
      "False 0",
      "",
    ]);
    expect(fake.stored.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });

  test("values that JSON or the server does not have are recorded as text", async () => {
    await runPython(`from datetime import date
from decimal import Decimal
from obelus_client import ObelusClient

with ObelusClient("${server.url}", strict=True) as client:
    values = [2**53 - 1, 2**60, -0.0, float("nan"), 0.1 + 0.2, 1e22, "\\ud83d", date(2026, 1, 2), Decimal("1.50"), (1, 2), True]
    client.event("log", conversation_id="values", payload={"values": values, "big": {"id": 2**64}})
`);
    const { body } = await server.get("/api/conversations/values/events");
    expect(body.items[0].payload).toEqual({
      values: [
        ...[9007199254740991, "1152921504606846976", 0, "nan", 0.30000000000000004, 1e22, "?", "2026-01-02", "1.50"],
        ...[[1, 2], true],
      ],
      big: { id: "18446744073709551616" },
    });
  });

  test("with blocks record failures, which go on, and do not end twice", async () => {
    await runPython(`from obelus_client import ObelusClient, ObelusError

with ObelusClient("${server.url}", strict=True) as client:
    conversation = client.conversation("blocks")
    try:
        with conversation.run() as run:
            with run.call("ok", {}):
                pass
            with run.model("m", "p"):
                pass
            with run.call("bad", {}):
                raise LookupError("no parcel")
    except LookupError:
        pass
    try:
        with conversation.run():
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        pass
    with conversation.run() as run:
        run.finished("once")
try:
    client.get_view("missing")
except ObelusError as error:
    assert error.status == 404, error.status
try:
    ObelusClient("http://127.0.0.1:1").get_conversation("c")
except ObelusError as error:
    assert error.status is None
`);
    const view = await viewOf("blocks");
    expect(view.runs.map(({ status }: { status: string }) => status)).toEqual(["failed", "cancelled", "finished"]);
    expect(outcomes(view)).toEqual(["ok succeeded", "bad failed"]);
    expect(view.calls[1].error).toEqual({ code: "LookupError", message: "no parcel" });
    expect(view.warnings).toEqual([]);
  });

  test("the end of the program sends the rest, and a forked process sends its own events", async () => {
    await runPython(`import os, warnings
warnings.simplefilter("ignore")
from obelus_client import ObelusClient

client = ObelusClient("${server.url}")
client.event("log", conversation_id="forked", payload={"of": "parent"})
child = os.fork()
client.event("log", conversation_id="forked", payload={"of": "child" if child == 0 else "parent"})
if child != 0:
    os.waitpid(child, 0)
`);
    const { body } = await server.get("/api/conversations/forked/events");
    const names = body.items.map(({ payload }: { payload: { of: string } }) => payload.of);
    expect(names.toSorted()).toEqual(["child", "parent", "parent"]);
  });

  test("it goes on uncompressed where the server does not take compressed bodies", async () => {
    await using fake = await fakeServer((request) => (request === 1 ? refusal(415) : "stored"));
    const output = await runPython(`from obelus_client import ObelusClient

with ObelusClient("${fake.url}", strict=True) as client:
    client.event("log", conversation_id="c", payload="x" * 2_000)
    client.flush()
    client.event("log", conversation_id="c", payload="x" * 2_000)
print(client.counts().stored)
`);
    expect(output).toBe("2\n");
    expect(fake.encodings).toEqual(["gzip", "", ""]);
  });
});
