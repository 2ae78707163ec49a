import { execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { checkDatabase } from "../../../db/sqlite/check/check.ts";
import { type ServerProcess, startServerProcess } from "../../../scripts/server-process.ts";
import { readEvents } from "../setup/event-source.ts";
import { logEvent, temporaryDirectory } from "../setup/server.ts";

/** A file system in memory, MB. */
const SIZE_MB = 24;
/** After this many refusals no checkpoint in progress will free space. */
const REFUSED_IN_A_ROW = 50;

const isMountable = canMount();

let disk = "";
let server: ServerProcess;

describe.runIf(isMountable)("Keep: a full disk", () => {
  beforeAll(async () => {
    disk = await temporaryDirectory();
    mount(disk);
    server = await startServerProcess(join(disk, "data"), { env: { OBELUS_DEMO: "0", OBELUS_LOG_LEVEL: "silent" } });
  });
  afterAll(async () => {
    await server.stop("SIGKILL");
    execFileSync("umount", ["-l", disk]);
    await rm(disk, { recursive: true });
  });

  it("refuses writes with 503 and Retry-After, while reads and streams work, and recovers when there is space", async () => {
    const stream = await readEvents(server.address, "/api/stream?after=0");
    const stored = await fillUp();
    const refused = [
      await call("POST", "/api/events", logEvent("full", 100_000)),
      await call("POST", "/api/conversations", { id: "none" }),
      await call("PUT", "/api/agent-state/a/k", { large: "x".repeat(100_000) }),
      await importAll(),
    ];
    for (const { status, headers, body } of refused) {
      expect([status, body.code, headers.get("retry-after")]).toEqual([503, "storage_full", "10"]);
      expect(body.detail).toContain("free space and retry");
    }
    for (const path of ["", "/events", "/messages", "/timeline", "/view", "/export"])
      expect((await fetch(`${server.address}/api/conversations/full${path}`)).status, path).toBe(200);
    expect((await call("GET", "/api/conversations")).body.items).toMatchObject([{ id: "full", event_count: stored }]);
    expect((await call("GET", "/api/conversations?q=full")).status).toBe(200);
    expect((await call("GET", "/api/ready")).status).toBe(200);
    expect(readdirSync(join(disk, "data", "tmp"))).toEqual([]);

    // A backup to the full disk leaves nothing.
    const backup = await command("backup", join(disk, "backups"));
    expect([backup.code, backup.text]).toEqual([
      1,
      expect.stringContaining("is full or not writable, so nothing was kept"),
    ]);
    expect(readdirSync(join(disk, "backups"))).toEqual([]);

    rmSync(join(disk, "ballast"));
    expect((await call("POST", "/api/events", logEvent("full", 100_000))).body.events).toMatchObject([
      { seq: stored + 1 },
    ]);
    expect((await importAll()).status).toBe(201);
    const last = await stream.find(({ data }) => data.seq === stored + 1);
    expect(stream.received.filter(({ data }) => data.conversation_id === "full")).toHaveLength(stored + 1);
    expect(last.data.id).toBe("full-e100000");
    stream.close();
    const ignored = { onProgress: () => undefined, onChecked: () => undefined };
    const checked = await checkDatabase({ folder: join(disk, "data"), allSnapshots: true, ...ignored });
    expect(checked.filter(({ ok }) => !ok)).toEqual([]);
  });
});

describe.runIf(isMountable)("Keep: a stop while the disk is full", () => {
  const answer = Promise.withResolvers<void>();
  let asked = 0;
  const outside = createServer((request, response) => {
    request.resume();
    asked += 1;
    answer.promise.then(() => response.end(JSON.stringify({ receipt: "x".repeat(200_000) })));
  });
  const begin = async (log: string) => {
    const env = { OBELUS_DEMO: "0", OBELUS_LOG_LEVEL: "warn", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" };
    server = await startServerProcess(join(disk, "data"), { env, log });
  };
  beforeAll(async () => {
    disk = await temporaryDirectory();
    mount(disk);
    outside.listen(0, "127.0.0.1");
    await once(outside, "listening");
  });
  afterAll(async () => {
    await server.stop("SIGKILL");
    outside.close();
    execFileSync("umount", ["-l", disk]);
    await rm(disk, { recursive: true });
  });

  it("writes a tool's result, so that it is not called twice", async () => {
    const folder = await temporaryDirectory();
    const log = join(folder, "log");
    await begin(log);
    const { port } = z.object({ port: z.int() }).parse(outside.address());
    const activity = { type: "http", method: "POST", url: `http://127.0.0.1:${port}/pay` };
    expect((await call("POST", "/api/tools", { name: "pay", schema: { type: "object" }, activity })).status).toBe(201);
    const { body } = await call("POST", "/api/plans/run", { plan: [{ _tool: "pay", _id: "a" }] });
    await expect.poll(() => asked).toBe(1);
    await fillUp();
    answer.resolve();
    await expect.poll(() => readFileSync(log, "utf8")).toContain("Could not append");
    await server.stop();
    rmSync(join(disk, "ballast"));
    await begin(log);
    const events = await call("GET", `/api/conversations/${body.conversation_id}/events?limit=100`);
    expect(JSON.stringify(events.body.items.map(({ type }: { type: string }) => type))).toContain("call.succeeded");
    await expect
      .poll(async () => (await call("GET", `/api/conversations/${body.conversation_id}`)).body.status)
      .not.toBe("running");
    expect(asked).toBe(1);
    await rm(folder, { recursive: true });
  });
});

/** The error of commands and of a start for a folder that is mounted read-only: which one, and a remedy. */
const READ_ONLY = "is on a file system that is mounted read-only; mount it for writing, or";

describe.runIf(isMountable)("Keep: a read-only disk", () => {
  beforeAll(async () => {
    disk = await temporaryDirectory();
    mount(disk);
    server = await startServerProcess(join(disk, "data"), { env: { OBELUS_DEMO: "0", OBELUS_LOG_LEVEL: "silent" } });
    await call("POST", "/api/events", logEvent("kept", 1));
    await server.stop();
    expect((await command("backup", join(disk, "backups"))).code).toBe(0);
    execFileSync("mount", ["-o", "remount,ro", disk]);
  });
  afterAll(async () => {
    execFileSync("umount", ["-l", disk]);
    await rm(disk, { recursive: true });
  });

  it("can be checked and backed up, and commands that write explain why they cannot", async () => {
    const elsewhere = await temporaryDirectory();
    const backup = join(disk, "backups", readdirSync(join(disk, "backups"))[0] ?? "");
    const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith("obelus-read-only-"));
    const before = copies();
    expect(await command("check")).toEqual({ code: 0, text: "" });
    expect(await command("check", backup)).toEqual({ code: 0, text: "" });
    expect((await command("backup", elsewhere)).code).toBe(0);
    expect(copies()).toEqual(before);
    const refused = [
      [`${join(disk, "data")} ${READ_ONLY} set OBELUS_DATA_DIR to another directory.`, "rebuild"],
      [`${join(disk, "data")} ${READ_ONLY} set OBELUS_DATA_DIR to another directory.`, "restore", backup],
      [`${join(disk, "data")} ${READ_ONLY} set OBELUS_DATA_DIR to another directory.`, "users", "list"],
      [`${join(disk, "data")} ${READ_ONLY} set OBELUS_DATA_DIR to another directory.`, "start"],
      [`${join(disk, "more")} ${READ_ONLY} use another folder.`, "backup", join(disk, "more")],
    ] as const;
    await Promise.all(
      refused.map(async ([said, name, ...args]) =>
        expect(await command(name, ...args)).toEqual({ code: 1, text: `${said}\n` }),
      ),
    );
    await rm(elsewhere, { recursive: true });
  });
});

/** Fills the disk with a file and then with events until the server refuses; returns how many were stored. */
async function fillUp(): Promise<number> {
  await call("POST", "/api/events", logEvent("full", 0));
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "ballast"), Buffer.alloc(bavail * bsize - 2_000_000));
  const payload = "x".repeat(20_000);
  for (let stored = 1; ; stored += 1) {
    const { status } = await call("POST", "/api/events", { ...logEvent("full", stored), payload });
    if (status === 201) continue;
    // The rest does not fit anything smaller, either. A checkpoint that ends meanwhile frees space in the write-ahead
    // log.
    let small = 0;
    for (let refused = 0; refused < REFUSED_IN_A_ROW; ) {
      const { status } = await call("POST", "/api/events", logEvent("full", 50_000 + small));
      if (status === 201) small += 1;
      refused = status === 201 ? 0 : refused + 1;
    }
    return stored + small;
  }
}

function importAll() {
  const lines = Array.from({ length: 200 }, (_, n) => ({
    id: `import-${n}`,
    messages: [{ role: "user", content: `hello ${n} ${"y".repeat(200)}` }],
  }));
  const body = lines.map((line) => JSON.stringify(line)).join("\n");
  return call("POST", "/api/import", body, "application/octet-stream");
}

async function call(method: string, path: string, value?: unknown, type = "application/json") {
  const body = typeof value === "string" ? value : JSON.stringify(value);
  const init = value === undefined ? { method } : { method, headers: { "content-type": type }, body };
  const response = await fetch(server.address + path, init);
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Runs a command on the server's data; returns its error output. */
function command(name: string, ...args: string[]): Promise<{ code: number; text: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; text: string }>();
  const env = { ...process.env, OBELUS_DATA_DIR: join(disk, "data") };
  const child = execFile(process.execPath, ["scripts/commands/main.ts", name, ...args], { env }, (_error, _out, text) =>
    resolve({ code: child.exitCode ?? -1, text }),
  );
  return promise;
}

function mount(where: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MB}m`, "tmpfs", where], { stdio: "pipe" });
}

/** Requires root, and is forbidden in some containers: there, the file size limit in `process.test.ts` covers it. */
function canMount(): boolean {
  const probe = join(process.env.TMPDIR ?? "/tmp", `obelus-mount-${process.pid}`);
  mkdirSync(probe, { recursive: true });
  try {
    mount(probe);
    execFileSync("umount", [probe], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
}
