import { expect, test } from "vitest";
import { EMPTY_DRAFT } from "./documents.ts";
import { hasDraft, printHash, readHash } from "./draft-hash.ts";

const DRAFT = { plan: '[{ "_tool": "почта.send", "to": "†state.кому" }]', context: "[]", tools: "" };

test("C9: a draft survives a round trip through its link", async () => {
  const hash = (await printHash(DRAFT)) ?? "";
  expect(hasDraft(hash)).toBe(true);
  expect(hash).toMatch(/^#plan=[\w-]+$/);
  expect(await readHash(hash)).toEqual(DRAFT);
});

test("C9: a link that was cut or mistyped is reported", async () => {
  const hash = (await printHash(DRAFT)) ?? "";
  expect(await readHash(hash.slice(0, -9))).toBeNull();
  expect(await readHash("#plan=%%%")).toBeNull();
  expect(await readHash("#plan=")).toBeNull();
});

test("C9: a draft too long for a link has none; a long one that compresses well has one", async () => {
  const random = Array.from({ length: 9_000 }, (_, index) =>
    (Math.imul(index + 1, 2654435761) >>> 0).toString(36),
  ).join("");
  expect(await printHash({ ...EMPTY_DRAFT, plan: random })).toBeNull();
  expect(await printHash({ ...EMPTY_DRAFT, plan: DRAFT.plan.repeat(400) })).not.toBeNull();
});
