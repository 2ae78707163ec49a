import { expect, test } from "vitest";
import type { PlanProblem } from "@/lib/plan/problem.ts";
import { documentReader, EMPTY_DRAFT } from "../draft/documents.ts";
import { placeFaults, placeProblems, placeRefused } from "./place-problems.ts";

const PLAN = `[{ "_tool": "a", "_id": "x", "n": "†state.gone" }, { "_tool": "b", "_id": "x" }, { "_tol": "c" }]`;
const documents = documentReader()({ ...EMPTY_DRAFT, plan: PLAN });
const IDS = ["x", "x", "c#1"];

function marked(problem: Partial<PlanProblem>): string {
  const [placed] = placeProblems(documents, IDS, [
    { code: "unbound", severity: "error", call: "x", path: "", message: "", ...problem },
  ]);
  return PLAN.slice(placed?.from, placed?.to);
}

test("C9, P16: a problem is marked at its parameter", () => {
  expect(marked({ path: "/n" })).toBe('"†state.gone"');
});

test("C9, P16: of two calls with one id the later is marked; an unknown property is marked by its name", () => {
  const [placed] = placeProblems(documents, IDS, [
    { code: "duplicate_id", severity: "error", call: "x", path: "/_id", message: "" },
  ]);
  expect(placed?.from).toBeGreaterThan(PLAN.indexOf('"b"'));
  expect(marked({ code: "unknown_meta", call: "c#1", path: "/_tol" })).toBe('"_tol"');
});

test("C9: a problem of the whole plan is marked at its start", () => {
  expect(marked({ call: null })).toBe("[");
});

test("C9: an invalid field of a request is marked in its text", () => {
  const written = documentReader()({ plan: "[]", context: '[{ "type": 7 }]', tools: "" });
  const [placed] = placeRefused(written, [{ path: "/context/0/type", message: "must be a text" }]);
  expect(placed).toMatchObject({ document: "context", from: 11, to: 12 });
});

test("C9: a text that is not a list of objects is reported with its position", () => {
  const faults = (context: string) => placeFaults(documentReader()({ ...EMPTY_DRAFT, context }));
  expect(faults('{ "a": 1 }')).toMatchObject([{ code: "not_list", document: "context" }]);
  expect(faults("[{}, 7]")).toMatchObject([{ code: "not_object", from: 5, to: 6 }]);
  expect(faults("[{]")).toMatchObject([{ code: "syntax_text" }]);
  expect(faults('[{"a": 1e400}]')).toMatchObject([{ code: "inexact_number", from: 7, to: 12 }]);
  expect(faults("  ")).toEqual([]);
});
