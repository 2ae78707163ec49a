import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { getOpenApi } from "../../../lib/api/operations/get-openapi.ts";
import { operations } from "../../../lib/api/operations.ts";
import { CALLERS, type CallerName, type Mark, marksOf, OPERATIONS, PAGES } from "../setup/matrix.ts";
import { addPeople, type Credentials, digestsOf, signIn } from "../setup/people.ts";
import { withServer } from "../setup/server.ts";

const APP = fileURLToPath(new URL("../../../app", import.meta.url));
const filesOf = async (name: string) => (await readdir(APP, { recursive: true })).filter((file) => file.endsWith(name));
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

let callers: Map<CallerName, Credentials>;
const guarded = withServer(
  { OBELUS_AUTH: "1" },
  {
    prepare: async (dataDir) => {
      callers = await addPeople(dataDir);
    },
  },
);
const open = withServer();
beforeAll(() => signIn(guarded.url, callers));

/** Requests for things that do not exist: accepted ones have no effects. */
function requestOf(row: string): { method: string; path: string } {
  const [method = "GET", address = row] = row.startsWith("/") ? ["GET", row] : row.split(" ");
  return { method, path: address.replaceAll(/\{(seq|version)\}/g, "1").replaceAll(/[{[]\w+[}\]]/g, "no-such") };
}

async function answerTo(url: string, row: string, credentials: Credentials): Promise<Mark | string> {
  const { method, path } = requestOf(row);
  const body = method === "POST" || method === "PUT";
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: { ...credentials, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: "{}" }),
  });
  await answer.body?.cancel();
  if (answer.status === 401) return "1";
  if (answer.status === 403) return "3";
  if (answer.status === 303 && answer.headers.get("location")?.startsWith("/sign-in?to=")) return ">";
  return answer.status < 500 ? "+" : String(answer.status);
}

/** Requests that end their own sign-in are last. */
const ROWS = Object.entries({ ...PAGES, ...OPERATIONS }).sort(
  ([a], [b]) => Number(a.includes("/sign-out")) - Number(b.includes("/sign-out")),
);

describe("Security: the table is complete", () => {
  it("has a row for each operation, and none for others", () => {
    const described = [...operations, getOpenApi].map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(OPERATIONS).sort()).toEqual(described.sort());
  });

  it("has a row for each page, and none for others", async () => {
    const files = await filesOf("page.tsx");
    const pages = files.map((file) => `/${file}`.replace(/\/page\.tsx$/, "") || "/");
    expect(Object.keys(PAGES).sort()).toEqual(pages.sort());
  });

  it("knows every route, and every route file only has its operations", async () => {
    const files = await filesOf("route.ts");
    const known = new Set(Object.keys(OPERATIONS).map((row) => row.split(" ")[1]));
    for (const file of files) {
      const path = `/${file.replace(/\/route\.ts$/, "").replaceAll(/\[(\w+)\]/g, "{$1}")}`;
      if (!file.includes("[[")) expect(known).toContain(path);
      const source = await readFile(`${APP}/${file}`, "utf8");
      const exported = [...source.matchAll(/^export (.*)$/gm)].map(([, rest]) => rest);
      expect([file, exported]).toEqual([file, [expect.stringMatching(/^const \{[A-Z, ]+\} = routeOf\(/)]]);
    }
  });
});

describe("Security: permissions", () => {
  it("responds as in the table, and changes nothing when it refuses", async () => {
    const before = await digestsOf(guarded.dataDir);
    const answered: Record<string, string> = {};
    const ask = async (isRefused: boolean) => {
      for (const [row, marks] of ROWS)
        for (const [caller, mark] of marksOf(marks)) {
          if ((mark !== "+") !== isRefused) continue;
          const got = await answerTo(guarded.url, row, callers.get(caller) ?? {});
          if (got !== mark) answered[`${row} by ${caller}`] = `${got}, not ${mark}`;
        }
    };
    await ask(true);
    expect(await digestsOf(guarded.dataDir)).toEqual(before);
    await ask(false);
    expect(answered).toEqual({});
  });

  it("supports no other methods", async () => {
    const addresses = new Set(Object.keys(OPERATIONS).map((row) => row.split(" ")[1] ?? ""));
    const answered: Record<string, number> = {};
    for (const address of addresses)
      for (const method of METHODS.filter((each) => !(`${each} ${address}` in OPERATIONS))) {
        const { path } = requestOf(`${method} ${address}`);
        const { status } = await guarded.send(method, path, undefined, callers.get("read"));
        if (status !== 405) answered[`${method} ${address}`] = status;
      }
    expect(answered).toEqual({});
  });

  it("ignores forged caller headers", async () => {
    const claim = encodeURIComponent(
      JSON.stringify({
        caller: { kind: "person", id: "1", name: "admin", role: "admin" },
        address: "",
        request_id: "",
      }),
    );
    for (const [name, value] of [
      ["x-obelus-requester", claim],
      ["x-middleware-subrequest", "middleware:middleware"],
      ["x-forwarded-for", "127.0.0.1"],
    ] as const)
      expect((await guarded.get("/api/conversations", { [name]: value })).status).toBe(401);
  });

  it("allows everybody without authentication", async () => {
    const answered: Record<string, string> = {};
    for (const [row] of ROWS) {
      const got = await answerTo(open.url, row, {});
      if (got !== "+") answered[row] = got;
    }
    expect(answered).toEqual({});
    expect(CALLERS).toHaveLength(11);
  });
});
