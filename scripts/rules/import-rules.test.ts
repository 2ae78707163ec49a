import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findBreaches, findCycles, findImpurities, readModule, readModules } from "./import-rules.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

function breaches(files: Record<string, string>): string[] {
  return findBreaches(Object.entries(files).map(([path, source]) => readModule(path, source)));
}

test("modules import only what they may import", () => {
  expect(findBreaches(readModules(root))).toEqual([]);
});

test("there are no import cycles", () => {
  expect(findCycles(readModules(root))).toEqual([]);
});

test("the engine's step module reaches no Node module, even indirectly", () => {
  expect(findImpurities(readModules(root), "lib/engine/step")).toEqual([]);
  const files = { "lib/engine/step/a.ts": 'import { b } from "../b.ts";', "lib/engine/b.ts": 'import "node:crypto";' };
  const modules = Object.entries(files).map(([path, source]) => readModule(path, source));
  expect(findImpurities(modules, "lib/engine/step")).toEqual([
    "lib/engine/step reaches node:crypto: lib/engine/step/a.ts → lib/engine/b.ts",
  ]);
});

test("an import cycle is reported with its path; one of types only is none", () => {
  const cyclesOf = (files: Record<string, string>) =>
    findCycles(Object.entries(files).map(([path, source]) => readModule(path, source)));
  const b = 'import { c } from "./c.ts";';
  const c = 'export { a } from "./a.ts";';
  expect(cyclesOf({ "lib/plan/a.ts": 'import { b } from "./b.ts";', "lib/plan/b.ts": b, "lib/plan/c.ts": c })).toEqual([
    "lib/plan/a.ts → lib/plan/b.ts → lib/plan/c.ts → lib/plan/a.ts",
  ]);
  const types = 'import type { B } from "./b.ts";';
  expect(cyclesOf({ "lib/plan/a.ts": types, "lib/plan/b.ts": b, "lib/plan/c.ts": c })).toEqual([]);
});

describe("a violation is found", () => {
  test.each([
    ["a pure module that imports Node", "lib/plan/a.ts", 'import "node:fs";'],
    ["a pure module that imports React", "lib/session/a.ts", 'import { useState } from "react";'],
    [
      "a pure module that imports the database's types",
      "lib/session/a.ts",
      'import type { Log } from "../../db/x.ts";',
    ],
    ["a plan that knows the session", "lib/plan/a.ts", 'import { fold } from "../session/reducer.ts";'],
    ["a plan that knows the engine", "lib/plan/a.ts", 'import type { Engine } from "../engine/engine.ts";'],
    ["a plan that compiles schemas", "lib/plan/a.ts", 'import { Ajv2020 } from "ajv/dist/2020.js";'],
    ["a prompt that checks with Zod", "lib/prompt/a.ts", 'import { z } from "zod";'],
    ["a prompt that knows the dialog", "lib/prompt/a.ts", 'import type { Agent } from "../dialog/agent.ts";'],
    ["an engine that knows the server", "lib/engine/a.ts", 'import type { S } from "../server/services.ts";'],
    ["an engine that runs database code", "lib/engine/a.ts", 'import { open } from "../../db/repositories.ts";'],
    ["an engine that calls a model itself", "lib/engine/a.ts", 'import { OpenAI } from "openai";'],
    ["a model that runs the engine", "lib/model/a.ts", 'import { run } from "../engine/runner.ts";'],
    ["an API that runs the engine", "lib/api/a.ts", 'import { createEngine } from "../engine/create-engine.ts";'],
    [
      "a client that brings the catalogue along",
      "lib/client/a.ts",
      'import type { C } from "../session/catalogue.ts";',
    ],
    ["a client that runs in Node alone", "lib/client/a.ts", 'import { createHash } from "node:crypto";'],
    ["an exporter of traces outside of its module", "lib/server/a.ts", 'import { trace } from "@opentelemetry/api";'],
    ["an MCP client outside of the engine", "lib/server/a.ts", 'import { C } from "@modelcontextprotocol/client";'],
    ["a component that knows the engine", "components/a.tsx", 'import type { E } from "@/lib/engine/engine.ts";'],
    ["a pure module by way of the outside", "lib/session/a.ts", 'import { x } from "../server/x.ts";'],
    ["a route that reaches the database", "app/api/route.ts", 'import { openStorage } from "@/db/sqlite/open.ts";'],
    ["a page that reaches the composition root", "app/page.tsx", 'import { x } from "@/lib/server/config.ts";'],
    ["a component that knows the server", "components/a.tsx", 'import type { S } from "@/lib/server/services.ts";'],
    ["a component that runs database code", "components/a.tsx", 'import { x } from "@/db/repositories.ts";'],
    ["a component that knows what is stored", "components/a.tsx", 'import type { C } from "@/db/repositories.ts";'],
    ["a component with database types of the inside", "components/a.tsx", 'import type { x } from "@/db/errors.ts";'],
    ["intake that opens the database", "lib/intake/a.ts", 'import Database from "better-sqlite3";'],
    ["the portal's database from elsewhere", "demo/crm-portal/a.ts", 'import Database from "better-sqlite3";'],
    [
      "a demo portal that knows the product",
      "demo/crm-portal/a.ts",
      'import { log } from "../../lib/engine/engine.ts";',
    ],
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

  test("Zod in the browser, even indirectly", () => {
    expect(
      breaches({
        "components/list.tsx": '"use client";\nimport { label } from "./label.ts";',
        "components/label.ts": 'import { PAYLOADS } from "@/lib/session/events/catalogue.ts";',
        "lib/session/events/catalogue.ts": 'import { z } from "zod";',
      }),
    ).toEqual(["the browser reaches zod: components/list.tsx → components/label.ts → lib/session/events/catalogue.ts"]);
  });

  test("Zod in the browser, except in lazily loaded parts", () => {
    const late = { "components/tab.tsx": '"use client"; import { z } from "zod";' };
    const lazily = { "components/panes.tsx": '"use client"; const tab = () => import("@/components/tab.tsx");' };
    expect(breaches({ ...lazily, ...late })).toEqual([]);
    const both = { "components/list.tsx": '"use client"; import "@/components/tab.tsx";' };
    expect(breaches({ ...lazily, ...late, ...both })).toEqual([
      "the browser reaches zod: components/list.tsx → components/tab.tsx",
    ]);
  });

  test.each(["ajv", "openai", "@modelcontextprotocol/client"])("%s in the browser", (name) => {
    const files = {
      "components/a.tsx": '"use client";\nimport { b } from "./b.ts";',
      "components/b.ts": `import "${name}";`,
    };
    expect(breaches(files)).toContain(`the browser reaches ${name}: components/a.tsx → components/b.ts`);
  });

  test("an import of types that is not a type import loads the module", () => {
    expect(breaches({ "components/a.tsx": 'import { type Log } from "@/db/repositories.ts";' })).toHaveLength(1);
  });
});

describe("allowed imports pass", () => {
  test.each([
    ["a session that reads references", "lib/session/a.ts", 'import { parseReference } from "../plan/reference.ts";'],
    ["a plan that knows what JSON is", "lib/plan/a.ts", 'import { isJsonObject } from "../session/json/json.ts";'],
    ["an engine with the log's types", "lib/engine/a.ts", 'import type { NewEvent } from "../../db/repositories.ts";'],
    ["the engine's checker", "lib/engine/a.ts", 'import { Ajv2020 } from "ajv/dist/2020.js";'],
    ["a model behind the engine's port", "lib/model/a.ts", 'import { ModelError } from "../engine/model.ts";'],
    ["the API with a definition's schema", "lib/api/a.ts", 'import { t } from "../engine/tools/tool-definition.ts";'],
    ["the catalogue's Zod", "lib/session/events/catalogue.ts", 'import { z } from "zod";'],
    ["a component with the shapes of answers", "components/a.tsx", 'import type { C } from "@/lib/api/shapes.ts";'],
    ["the composition root", "lib/server/main.ts", 'import { openStorage } from "../../db/sqlite/open.ts";'],
    ["storage", "db/sqlite/open.ts", 'import Database from "better-sqlite3";\nimport { join } from "node:path";'],
  ])("%s", (_what, path, source) => {
    expect(breaches({ [path]: source })).toEqual([]);
  });

  test("Zod in the server's part of a page", () => {
    expect(
      breaches({
        "app/page.tsx": 'import { query } from "@/lib/api/query.ts";\nimport { List } from "@/components/list.tsx";',
        "components/list.tsx": '"use client";',
        "lib/api/query.ts": 'import { z } from "zod";',
      }),
    ).toEqual([]);
  });
});
