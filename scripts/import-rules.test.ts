import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findBreaches, readModule, readModules } from "./import-rules.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

function breaches(files: Record<string, string>): string[] {
  return findBreaches(Object.entries(files).map(([path, source]) => readModule(path, source)));
}

test("the rooms of the project know only whom they may know", () => {
  expect(findBreaches(readModules(root))).toEqual([]);
});

describe("a breach is found", () => {
  test.each([
    ["a pure room that imports Node", "lib/plan/a.ts", 'import "node:fs";'],
    ["a pure room that imports React", "lib/session/a.ts", 'import { useState } from "react";'],
    ["a pure room that imports the database's types", "lib/session/a.ts", 'import type { Log } from "../../db/x.ts";'],
    ["a plan that knows the session", "lib/plan/a.ts", 'import { fold } from "../session/reducer.ts";'],
    ["a pure room by way of the outside", "lib/session/a.ts", 'import { x } from "../server/x.ts";'],
    ["a route that reaches the database", "app/api/route.ts", 'import { openStorage } from "@/db/sqlite/open.ts";'],
    ["a page that reaches the composition root", "app/page.tsx", 'import { x } from "@/lib/server/config.ts";'],
    ["a component that knows the server", "components/a.tsx", 'import type { S } from "@/lib/server/services.ts";'],
    ["a component that runs database code", "components/a.tsx", 'import { x } from "@/db/repositories.ts";'],
    ["a component with database types of the inside", "components/a.tsx", 'import type { x } from "@/db/errors.ts";'],
    ["intake that opens the database", "lib/intake/a.ts", 'import Database from "better-sqlite3";'],
    ["the server writing SQL", "lib/server/a.ts", 'import { eq } from "drizzle-orm";'],
    ["a part of a package that is kept elsewhere", "lib/server/a.ts", 'import { x } from "drizzle-orm/sqlite-core";'],
    ["an export from elsewhere", "lib/plan/a.ts", 'export { fold } from "../session/reducer.ts";'],
    ["an export of everything", "lib/plan/a.ts", 'export * from "../session/reducer.ts";'],
    ["an import while running", "lib/plan/a.ts", 'await import("../session/reducer.ts");'],
    ["an alias where nothing resolves it", "lib/session/a.ts", 'import { x } from "@/lib/session/b.ts";'],
    ["a missing extension", "lib/session/a.ts", 'import { x } from "./b";'],
  ])("%s", (_what, path, source) => {
    expect(breaches({ [path]: source })).toHaveLength(1);
  });

  test("Zod in the browser, however long the way", () => {
    expect(
      breaches({
        "components/list.tsx": '"use client";\nimport { label } from "./label.ts";',
        "components/label.ts": 'import { PAYLOADS } from "@/lib/session/catalogue.ts";',
        "lib/session/catalogue.ts": 'import { z } from "zod";',
      }),
    ).toEqual(["the browser reaches zod: components/list.tsx → components/label.ts → lib/session/catalogue.ts"]);
  });

  test("an import of types alone that is not written as one still loads the module", () => {
    expect(breaches({ "components/a.tsx": 'import { type Log } from "@/db/repositories.ts";' })).toHaveLength(1);
  });
});

describe("what is allowed passes", () => {
  test.each([
    ["a session that reads references", "lib/session/a.ts", 'import { parseReference } from "../plan/reference.ts";'],
    ["the catalogue's Zod", "lib/session/catalogue.ts", 'import { z } from "zod";'],
    ["a component with the API's row shapes", "components/a.tsx", 'import type { C } from "@/db/repositories.ts";'],
    ["the composition root", "lib/server/main.ts", 'import { openStorage } from "../../db/sqlite/open.ts";'],
    ["storage", "db/sqlite/open.ts", 'import Database from "better-sqlite3";\nimport { join } from "node:path";'],
  ])("%s", (_what, path, source) => {
    expect(breaches({ [path]: source })).toEqual([]);
  });

  test("Zod on the server's side of a page", () => {
    expect(
      breaches({
        "app/page.tsx": 'import { query } from "@/lib/api/query.ts";\nimport { List } from "@/components/list.tsx";',
        "components/list.tsx": '"use client";',
        "lib/api/query.ts": 'import { z } from "zod";',
      }),
    ).toEqual([]);
  });
});
