import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/session/json/json.ts";
import type { Fault } from "../faults.ts";
import type { Limits } from "../limiter.ts";
import { startDemoPortal } from "../portal.ts";

/** A demo portal for tests, with a real port and file. */
export interface TestPortal {
  webhookUrl: string;
  file: string;
  /** Its logged errors. */
  logged: string[];
  /** Calls a method with a JSON body. */
  call(method: string, params?: Json): Promise<Answer>;
  /** The result of a successful call. */
  result(method: string, params?: Json): Promise<Json>;
  /** The error of a failed call: `400 : Not found`. */
  refusal(method: string, params?: Json): Promise<string>;
  /** Closes it and starts it again on the same file. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

export interface Answer {
  status: number;
  body: JsonObject;
}

/** A filled database, created once per test file: each test gets a copy. */
const template = (async () => {
  const directory = await mkdtemp(join(tmpdir(), "portal-"));
  const file = join(directory, "portal.sqlite");
  const portal = await startDemoPortal({ file, logger: { error: () => undefined } });
  await portal.close();
  const filled = await readFile(file);
  await rm(directory, { recursive: true });
  return filled;
})();

/** Opens a portal with the demo company in a new directory. */
export async function openPortal(options: { limits?: Limits; faults?: Fault[] } = {}): Promise<TestPortal> {
  const directory = await mkdtemp(join(tmpdir(), "portal-"));
  const file = join(directory, "portal.sqlite");
  await writeFile(file, await template);
  const logged: string[] = [];
  const start = () => startDemoPortal({ file, logger: { error: (_, message) => logged.push(message) }, ...options });
  let running = await start();

  const portal: TestPortal = {
    webhookUrl: running.webhookUrl,
    file,
    logged,
    call: (method, params = {}) => {
      const headers = { "content-type": "application/json" };
      return read(fetch(portal.webhookUrl + method, { method: "POST", headers, body: JSON.stringify(params) }));
    },
    async result(method, params) {
      const { status, body } = await portal.call(method, params);
      if (status !== 200) throw new Error(`${method} answered ${status}: ${JSON.stringify(body)}`);
      return body.result ?? null;
    },
    async refusal(method, params) {
      const { status, body } = await portal.call(method, params);
      return `${status} ${String(body.error)}: ${String(body.error_description)}`;
    },
    async restart() {
      await running.close();
      running = await start();
      portal.webhookUrl = running.webhookUrl;
    },
    async dispose() {
      await running.close();
      await rm(directory, { recursive: true });
    },
  };
  return portal;
}

/** The status and JSON of a response. */
export async function read(answer: Promise<Response>): Promise<Answer> {
  const response = await answer;
  const body: Json = JSON.parse(await response.text());
  if (!isJsonObject(body)) throw new Error(`The answer is no object: ${JSON.stringify(body)}`);
  return { status: response.status, body };
}
