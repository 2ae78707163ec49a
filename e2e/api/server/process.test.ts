import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { serverProgram, startServerProcess } from "../../../scripts/server-process.ts";
import { readEvents } from "../setup/event-source.ts";
import { logEvent, rawCall, temporaryDirectory } from "../setup/server.ts";

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function directory() {
  const path = await temporaryDirectory();
  cleanups.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function running(dataDir: string) {
  const server = await startServerProcess(dataDir, { env: { OBELUS_DEMO: "0" } });
  cleanups.push(() => server.stop("SIGKILL"));
  return server;
}

/**
 * Starts a server as its operator would; `limit` is one of `ulimit`, such as `-f 2048` for the maximum size of a file.
 */
function launch(env: Record<string, string>, limit?: string) {
  const bound = limit === undefined ? "" : `ulimit ${limit};`;
  const child = spawn("sh", ["-c", `${bound} exec "$0" "$1"`, process.execPath, serverProgram()], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", OBELUS_DEMO: "0", OBELUS_LOG_LEVEL: "silent", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  cleanups.push(async () => child.kill("SIGKILL"));
  child.stdout.setEncoding("utf8");
  child.stderr.setEncoding("utf8");
  return child;
}

async function addressOf(child: ReturnType<typeof launch>): Promise<string> {
  for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
    const [address] = /http:\S+/.exec(text) ?? [];
    if (address) return address;
  }
  throw new Error("The server ended before it was ready");
}

/** Starts a server that is expected to fail; returns its output. */
async function refused(env: Record<string, string>) {
  const child = launch(env);
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const [code] = await once(child, "close");
  return { code, stderr };
}

function post(address: string, events: unknown) {
  return fetch(`${address}/api/events`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(events),
  });
}

describe("A server that cannot start explains why in a sentence", () => {
  it.each([
    [
      { HOST: "0.0.0.0" },
      "HOST=0.0.0.0 is not a loopback address, so anyone on the network could connect; set OBELUS_AUTH=1 to require sign-in, or use 127.0.0.1.\n",
    ],
    [{ PORT: "http" }, "PORT=http must be a whole number from 0 to 65535, such as 3000.\n"],
    [{ OBELUS_DIST_DIR: ".no-such-build" }, "There is no build in .no-such-build; run npm start or npm run build.\n"],
  ])("with %j", async (env, sentence) => {
    expect(await refused({ OBELUS_DATA_DIR: await directory(), ...env })).toEqual({ code: 1, stderr: sentence });
  });

  it("when the port is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    cleanups.push(async () => other.close());
    const address = other.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    expect(await refused({ OBELUS_DATA_DIR: await directory(), PORT: String(port) })).toEqual({
      code: 1,
      stderr: `Port ${port} on 127.0.0.1 is already in use; stop the program that uses it or set PORT to another.\n`,
    });
  });

  it("if another process uses the data directory, which is not disturbed", async () => {
    const dataDir = await directory();
    const { address, pid } = await running(dataDir);
    const second = await refused({ OBELUS_DATA_DIR: dataDir });
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(`^\\S+ is in use by process ${pid}; stop it first or set OBELUS_DATA_DIR to another directory\\.\\n$`),
    );
    expect((await post(address, logEvent("still", 1))).status).toBe(201);
  });

  it("if the database is from a newer version, which is not changed", async () => {
    const dataDir = await directory();
    await (await running(dataDir)).stop();
    const file = join(dataDir, "obelus.sqlite");
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('newer', 9000000000000)");
    database.close();
    const before = await readFile(file);
    const { code, stderr } = await refused({ OBELUS_DATA_DIR: dataDir });
    expect([code, stderr.split("\n").length]).toEqual([1, 2]);
    expect(stderr).toContain("was created by a newer version of Obelus");
    expect(before.equals(await readFile(file))).toBe(true);
  });

  it("when the data directory is a file", async () => {
    const path = join(await directory(), "file");
    await writeFile(path, "");
    expect(await refused({ OBELUS_DATA_DIR: path })).toEqual({
      code: 1,
      stderr: `${path} is not a directory; set OBELUS_DATA_DIR to one.\n`,
    });
  });

  it.runIf(process.platform === "linux")("when the data directory cannot be made", async () => {
    expect(await refused({ OBELUS_DATA_DIR: "/sys/obelus" })).toEqual({
      code: 1,
      stderr:
        "/sys/obelus is not writable; grant this user write access, or set OBELUS_DATA_DIR to another directory.\n",
    });
  });
});

describe("The server ends cleanly", () => {
  it("while a client with an upgrade request keeps its connection", async () => {
    const child = launch({ OBELUS_DATA_DIR: await directory() });
    const exited = once(child, "exit");
    const address = await addressOf(child);
    await fetch(`${address}/api/health`);
    const upgrade = { connection: "upgrade", upgrade: "websocket" };
    expect(await rawCall(address, "GET", "/api/health", { host: "evil.example", ...upgrade })).toMatchObject({
      status: 403,
    });
    const socket = connect(Number(new URL(address).port), "127.0.0.1");
    cleanups.push(async () => socket.destroy());
    socket.write("GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await once(socket, "data");
    child.kill("SIGTERM");
    expect((await exited)[0]).toBe(0);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "on %s with streams open: they end, all that was answered is stored, and the code is 0",
    async (signal) => {
      const dataDir = await directory();
      const child = launch({ OBELUS_DATA_DIR: dataDir });
      const exited = once(child, "exit");
      const address = await addressOf(child);
      const readers = await Promise.all(Array.from({ length: 3 }, () => readEvents(address, "/api/stream?after=0")));
      const acknowledged: string[] = [];
      const write = async (writer: string) => {
        for (let n = 0; ; n++) {
          const event = { ...logEvent("ending", n), id: `${writer}-${n}` };
          const reply = await post(address, event).catch(() => null);
          if (reply?.status !== 201) return;
          acknowledged.push(event.id);
        }
      };
      const writers = [write("a"), write("b"), write("c")];
      await readers[0]?.take(20);
      child.kill(signal);
      expect(await exited).toEqual([0, null]);
      await Promise.all([...writers, ...readers.map((reader) => reader.ended)]);

      const database = new DatabaseSync(join(dataDir, "obelus.sqlite"), { readOnly: true });
      const stored = database
        .prepare("SELECT id FROM events")
        .all()
        .map(({ id }) => id);
      database.close();
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
      // The directory can be used by the next one.
      await (await running(dataDir)).stop();
    },
  );

  it("also while a client holds a half-sent request", async () => {
    const { address, stop } = await running(await directory());
    const half = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("[")) });
    const init = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: half,
      duplex: "half",
    } as const;
    const reply = fetch(`${address}/api/events`, init).then(
      ({ status }) => status,
      () => "broken off",
    );
    expect((await fetch(`${address}/api/health`)).status).toBe(200);
    await stop();
    expect(["broken off", 503]).toContain(await reply);
  });
});

describe.skipIf(process.platform === "win32")("A full disk", () => {
  it("refuses writes with 503 and changes nothing, while reads work", async () => {
    const address = await addressOf(launch({ OBELUS_DATA_DIR: await directory() }, "-f 2048"));
    const payload = "x".repeat(50_000);
    let stored = 0;
    let reply = await post(address, { ...logEvent("full", stored), payload });
    while (reply.status === 201) {
      stored += 1;
      reply = await post(address, { ...logEvent("full", stored), payload });
    }
    expect(reply.status).toBe(503);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect(await reply.json()).toMatchObject({ code: "storage_full", status: 503 });

    for (const path of ["", "/events", "/messages", "/timeline", "/view", "/export"]) {
      expect((await fetch(`${address}/api/conversations/full${path}`)).status).toBe(200);
    }
    const conversation = await (await fetch(`${address}/api/conversations/full`)).json();
    expect(conversation.event_count).toBe(stored);
  });
});

describe.skipIf(process.platform === "win32")("A limit of open files", () => {
  it("refuses further connections with 503, and recovers", async () => {
    const address = await addressOf(launch({ OBELUS_DATA_DIR: await directory() }, "-n 256"));
    const { hostname, port } = new URL(address);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const imported = () =>
      sendOn(agent, `${address}/api/import`, '{"id":"one","messages":[{"role":"user","content":"hi"}]}');
    expect((await sendOn(agent, `${address}/api/events`, "[]")).status).toBe(400);
    const open: Socket[] = [];
    for (let full = false; !full; ) {
      const socket = connect(Number(port), hostname);
      // A connection above the limit is closed; one below is served.
      socket.write("GET /api/health HTTP/1.1\r\nhost: localhost\r\n\r\n");
      full = await new Promise<boolean>((resolve) => {
        socket.once("data", () => resolve(false));
        for (const event of ["close", "error"]) socket.once(event, () => resolve(true));
      });
      open.push(socket);
    }
    expect(await imported()).toMatchObject({ status: 503, retry: "5", body: { code: "unavailable" } });
    for (const socket of open) socket.destroy();
    await expect.poll(async () => (await imported()).status).toBe(201);
    agent.destroy();
  });
});

/** Sends a body on a keep-alive connection. */
async function sendOn(agent: Agent, url: string, body: string) {
  const headers = { "content-type": "application/json" };
  const request = httpRequest(url, { agent, method: "POST", headers });
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, "response");
  if (!response) throw new Error("It did not answer");
  return {
    status: response.statusCode,
    retry: response.headers["retry-after"],
    body: JSON.parse(await text(response)),
  };
}
