import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { type ServerProcess, startServerProcess } from "../../../scripts/server-process.ts";

/** A response: status, headers and JSON body (undefined if it is none). */
export interface Reply {
  status: number;
  headers: Headers;
  // Responses are untyped: a missing field fails the test that reads it.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  body: any;
}

/** The server of a file's tests, with its own empty log. */
export interface TestServer {
  /** `http://127.0.0.1:41234` */
  readonly url: string;
  readonly dataDir: string;
  /** Of the current process. */
  readonly pid: number;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a value as JSON; undefined sends no body. */
  send(method: string, path: string, value?: unknown, headers?: Record<string, string>): Promise<Reply>;
  post(path: string, value: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Posts a text or bytes unchanged. */
  postRaw(path: string, body: string | Uint8Array<ArrayBuffer>, type: string): Promise<Reply>;
  /** Its log so far; requires `logs`. */
  log(): Promise<string>;
  /** Ends the server by a signal and restarts it on the same log, with `between` in between. */
  restart(signal: NodeJS.Signals, between?: () => Promise<void>): Promise<void>;
}

interface ServerOptions {
  /** Keeps its log. */
  logs?: boolean;
  /** Prepares its data directory before it starts. */
  prepare?: (dataDir: string) => Promise<void>;
}

/** Starts a server before the tests of a file and ends it after them. */
export function withServer(
  env: Record<string, string> = {},
  { logs = false, prepare }: ServerOptions = {},
): TestServer {
  let server: ServerProcess;
  let dataDir = "";
  const logFile = () => join(dataDir, "server.log");
  const start = () =>
    startServerProcess(dataDir, {
      env: { OBELUS_DEMO: "0", OBELUS_PRELOAD_PAGES: "0", ...env },
      ...(logs && { log: logFile() }),
    });
  beforeAll(async () => {
    dataDir = await temporaryDirectory();
    await prepare?.(dataDir);
    server = await start();
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const send: TestServer["send"] = (method, path, value, headers) =>
    call(`${server.address}${path}`, {
      method,
      headers: { ...(value !== undefined && { "content-type": "application/json" }), ...headers },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    });
  return {
    get url() {
      return server.address;
    },
    get dataDir() {
      return dataDir;
    },
    get pid() {
      return server.pid;
    },
    send,
    get: (path, headers) => send("GET", path, undefined, headers),
    post: (path, value, headers) => send("POST", path, value, headers),
    postRaw: (path, body, type) =>
      call(`${server.address}${path}`, { method: "POST", headers: { "content-type": type }, body }),
    log: () => readFile(logFile(), "utf8"),
    async restart(signal, between) {
      await server.stop(signal);
      await between?.();
      server = await start();
    },
  };
}

export function temporaryDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), "obelus-api-"));
}

async function call(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: bodyOf(response.headers, text) };
}

function bodyOf(headers: Headers, text: string): unknown {
  const json = /^application\/(problem\+)?json$/.test(headers.get("content-type") ?? "");
  return json && text !== "" ? JSON.parse(text) : text || undefined;
}

/** A request with headers that `fetch` does not allow, such as `Host`. */
export function rawCall(url: string, method: string, path: string, headers: Record<string, string>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ hostname, port, method, path, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => {
        const answered = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
        resolve({ status: response.statusCode ?? 0, headers: answered, body: bodyOf(answered, text) });
      });
    });
    request.on("error", reject);
    request.end();
  });
}

/** A conversation as answered, without what is counted in the background. */
export function withoutTotals(conversation: Reply["body"]): JsonObject {
  const { tokens: _, cost: __, ...rest } = conversation;
  return rest;
}

/** A valid event of a conversation; `n` makes it unique. */
export function logEvent(conversationId: string, n: number) {
  return { id: `${conversationId}-e${n}`, conversation_id: conversationId, type: "log", payload: { n } };
}
