import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { type Kind, openStore, type Store } from "../store.ts";
import { readTime } from "../times.ts";
import { writeSeed } from "./seed.ts";

const NOW = new Date("2026-03-19T12:00:00Z");
const KINDS: Kind[] = [
  ...(["deal", "contact", "company", "activity", "comment", "category", "status"] as const),
  ...(["user", "group", "binding", "task", "task_comment", "checklist_item"] as const),
];

let directory: string;
const stores: Store[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "portal-seed-"));
  for (const name of ["a", "b"]) {
    const store = openStore(join(directory, name));
    store.fill("secret", () => writeSeed(store, NOW));
    stores.push(store);
  }
});
afterAll(async () => {
  for (const store of stores) store.close();
  await rm(directory, { recursive: true });
});

function all(kind: Kind, which = 0): JsonObject[] {
  return stores[which]?.all(kind) ?? [];
}

test("the demo company is deterministic", () => {
  for (const kind of KINDS) expect(all(kind, 1), kind).toEqual(all(kind));
});

test("M14: it contains the documented example: deal 123 with contact 456, tasks 456 and 789", () => {
  const [store] = stores;
  expect(store?.get("deal", 123)).toMatchObject({ OPPORTUNITY: "85000.00", CONTACT_ID: "456" });
  expect(store?.get("contact", 456)).not.toBeNull();
  expect(store?.get("task", 456)).toMatchObject({ DEADLINE: expect.any(String) });
  expect(store?.get("task", 789)).not.toBeNull();
});

test("it is as large as a small company, with overdue tasks and every pipeline in use", () => {
  expect(all("deal")).toHaveLength(40);
  expect(all("contact")).toHaveLength(30);
  expect(all("company")).toHaveLength(15);
  expect(new Set(all("deal").map(({ CATEGORY_ID }) => CATEGORY_ID))).toEqual(new Set(["0", "1", "2"]));
  const overdue = all("task").filter(
    ({ STATUS, DEADLINE }) => STATUS !== "5" && DEADLINE && (readTime(String(DEADLINE)) ?? 0) < NOW.getTime(),
  );
  expect(overdue.length).toBeGreaterThan(1);
});

test("nothing was created after now", () => {
  for (const kind of ["deal", "contact", "company", "activity", "task", "comment", "task_comment"] as const) {
    for (const record of all(kind)) {
      const made = record.DATE_CREATE ?? record.CREATED_DATE ?? record.CREATED ?? record.POST_DATE;
      expect(readTime(String(made)), `${kind} ${record.ID}`).toBeLessThan(NOW.getTime());
    }
  }
});

test("all references exist", () => {
  const known = new Map(KINDS.map((kind) => [kind, new Set(all(kind).map(({ ID }) => ID))]));
  const broken = [
    ...all("deal").flatMap(({ ID, COMPANY_ID }) => missing("company", COMPANY_ID, `deal ${ID}`)),
    ...all("contact").flatMap(({ ID, COMPANY_ID }) => missing("company", COMPANY_ID, `contact ${ID}`)),
    ...all("task").flatMap(({ ID, GROUP_ID }) => missing("group", GROUP_ID === "0" ? null : GROUP_ID, `task ${ID}`)),
    ...all("task").flatMap(({ ID, UF_CRM_TASK }) =>
      Object.values(Object(UF_CRM_TASK)).flatMap((item) => about(item, ID)),
    ),
  ];
  expect(broken).toEqual([]);

  function about(item: unknown, task: unknown): string[] {
    const [type = "", id = ""] = String(item).split("_");
    const kinds: Record<string, Kind> = { D: "deal", C: "contact", CO: "company" };
    const kind = kinds[type];
    return kind ? missing(kind, id, `task ${task}`) : [`task ${task}: ${item}`];
  }

  function missing(kind: Kind, id: unknown, where: string): string[] {
    return id === null || known.get(kind)?.has(String(id)) ? [] : [`${where}: ${kind} ${id}`];
  }
});
