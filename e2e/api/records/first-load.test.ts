import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { withServer } from "../setup/server.ts";

/** Lazily loaded modules, each recognized by unique words. */
const ON_DEMAND = {
  ...{ Zod: "ZodError", CodeMirror: "cm-content", ELK: "org.eclipse.elk" },
  // Plans and maps are drawn after their layout: the first picture has neither.
  "the plan's graph": "react-flow__pane",
  "the session's map": "sm-band",
};

/** The limits of first loads, in kB as served: a little above the actual sizes. 31 of them are the texts of a language. */
const LIMITS = { list: 217, studio: 367 };

const server = withServer();

interface Script {
  bytes: number;
  encoding: string | null;
  text: string;
}

/** The scripts of a page that a current browser loads at once. */
async function firstLoad(path: string): Promise<Script[]> {
  const page = await (await fetch(`${server.url}${path}`)).text();
  const names = new Set(
    page.replaceAll(/<script[^>]*\snomodule[^>]*>/gi, "").match(/\/_next\/static\/chunks\/[^"'\\?]+\.js/g),
  );
  return Promise.all([...names].map(loadScript));
}

async function loadScript(name: string): Promise<Script> {
  const response = await fetch(`${server.url}${name}`, { headers: { "accept-encoding": "gzip, br" } });
  return {
    bytes: Number(response.headers.get("content-length")),
    encoding: response.headers.get("content-encoding"),
    text: await response.text(),
  };
}

describe("the first load of a page", () => {
  const conversation = "first-load";
  beforeAll(async () => {
    await server.post("/api/messages", { conversation_id: conversation, role: "user", content: "Hello" });
  });

  it.each([
    ["list", "/"],
    ["studio", `/conversations/${conversation}`],
  ] as const)("the %s weighs what it may, compressed by the build", async (name, path) => {
    const scripts = await firstLoad(path);
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.map(({ encoding }) => encoding)).toEqual(scripts.map(() => "br"));
    expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000).toBeLessThan(LIMITS[name]);
  });

  it("neither list nor studio loads what few need", async () => {
    const brought = (await Promise.all([firstLoad("/"), firstLoad(`/conversations/${conversation}`)])).flat();
    const built = await builtScripts();
    for (const [name, words] of Object.entries(ON_DEMAND)) {
      expect(
        built.some((text) => text.includes(words)),
        `the words tell ${name}`,
      ).toBe(true);
      expect(
        brought.some(({ text }) => text.includes(words)),
        name,
      ).toBe(false);
    }
  });
});

describe("a build's files", () => {
  it("are unchanged without Brotli, and cacheable forever", async () => {
    const page = await (await fetch(server.url)).text();
    const [name = ""] = page.match(/\/_next\/static\/chunks\/[^"'\\?]+\.js/) ?? [];
    const load = (headers: Record<string, string>) => fetch(`${server.url}${name}`, { headers });
    const brotli = await load({ "accept-encoding": "br" });
    const text = await brotli.text();
    expect(brotli.headers.get("content-encoding")).toBe("br");
    expect(brotli.headers.get("vary")).toBe("accept-encoding");
    for (const accepted of ["identity", "gzip", "br;q=0, gzip", "br;q=0.000", "deflate, vibro"]) {
      const other = await load({ "accept-encoding": accepted });
      expect(other.headers.get("content-encoding"), accepted).not.toBe("br");
      expect(await other.text(), accepted).toBe(text);
    }
    const part = await load({ "accept-encoding": "br", range: "bytes=0-9" });
    expect([part.status, await part.text()]).toEqual([206, text.slice(0, 10)]);
    expect(brotli.headers.get("content-type")).toBe("application/javascript; charset=UTF-8");
    expect(brotli.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(brotli.headers.get("x-content-type-options")).toBe("nosniff");
    expect(brotli.headers.get("content-security-policy")).toBe("default-src 'self';frame-ancestors 'none'");
  });

  it("are the only files served: other paths find nothing", async () => {
    for (const [path, status] of [
      ["../BUILD_ID", 404],
      ["..%2fBUILD_ID", 400],
      ["chunks/../../BUILD_ID", 404],
      ["chunks/none.js", 404],
      ["chunks/none.js.br", 404],
    ] as const) {
      const response = await fetch(`${server.url}/_next/static/${path}`, { headers: { "accept-encoding": "br" } });
      expect([path, response.status]).toEqual([path, status]);
    }
  });
});

/** All scripts of the build, including workers. */
async function builtScripts(): Promise<string[]> {
  const folder = join(ROOT, process.env.OBELUS_DIST_DIR ?? ".next", "static");
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".js"));
  return Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
}
