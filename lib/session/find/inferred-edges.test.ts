import { describe, expect, it } from "vitest";
import type { Json } from "../json/json.ts";
import { session } from "../testing/events.ts";
import { EdgeInference } from "./inferred-edges.ts";

type Told = [type: string, payload: Json];

function inferred(run: string | null, ...told: Told[]): EdgeInference {
  const inference = new EdgeInference(run);
  for (const event of session(...told)) inference.add(event);
  return inference;
}

/** The edges as short lines: source, path, parameter. */
function lines(...told: Told[]): string[] {
  return inferred(null, ...told).edges.map(({ from, to, to_path, value }) =>
    from.kind === "call"
      ? `${from.call.call_id}${from.path} → ${to.call_id}${to_path}: ${value}`
      : `${from.role} → ${to.call_id}${to_path}: ${value}`,
  );
}

const says = (role: string, content: string): Told => ["message.created", { message_id: `${role}:1`, role, content }];
const starts = (call_id: string, params: Json): Told => ["call.started", { call_id, tool: "t", iteration: 1, params }];
const gives = (call_id: string, output: Json): Told => ["call.succeeded", { call_id, tool: "t", iteration: 1, output }];

describe("E15: inferred edges", () => {
  it("from the result with a value to a call, with both paths", () => {
    expect(
      lines(
        starts("user", { name: "Ann" }),
        gives("user", { id: "ann_li_4521", orders: ["W7741", "W7802"] }),
        starts("order", { order: { id: "W7802" } }),
      ),
    ).toEqual(["user/orders/1 → order/order/id: W7802"]);
  });

  it("from the first message with a value, also if a result repeats it", () => {
    expect(
      lines(
        says("user", "My order is W7741."),
        starts("find", { id: "W7741" }),
        gives("find", { id: "W7741", email: "ann@example.com" }),
        starts("refund", { order: "W7741", to: "ann@example.com" }),
      ),
    ).toEqual(["user → find/id: W7741", "user → refund/order: W7741", "find/email → refund/to: ann@example.com"]);
  });

  it("not from what the agent said or requested first, also if a result repeats it", () => {
    expect(
      lines(
        says("assistant", "I will try order W9000."),
        starts("find", { id: "W9000", ticket: "T-5512" }),
        gives("find", { id: "W9000", ticket: "T-5512" }),
        says("user", "Yes, W9000."),
        starts("again", { id: "W9000", ticket: "T-5512" }),
      ),
    ).toEqual([]);
  });

  it("a number equals its digits, and a value within a longer one does not match", () => {
    expect(
      lines(
        gives("find", { total: 48.95, id: 77410 }),
        starts("pay", { amount: "48.95" }),
        starts("other", { id: "7741" }),
      ),
    ).toEqual(["find/total → pay/amount: 48.95"]);
    expect(lines(says("user", "Order 77410"), starts("find", { id: 7741 }))).toEqual([]);
  });

  it("from the result whose other values agree: the same flight on another day is another flight", () => {
    expect(
      lines(
        gives("booking", { flights: [{ flight: "HAT266", date: "2026-05-28" }] }),
        gives("search", [
          { flight: "HAT266", date: "2026-05-29" },
          { flight: "HAT266", date: "2026-05-27" },
        ]),
        starts("move", { flights: [{ flight: "HAT266", date: "2026-05-27" }] }),
        starts("keep", { flights: [{ flight: "HAT266", date: "2026-05-28" }] }),
      ),
    ).toEqual([
      "search/1/flight → move/flights/0/flight: HAT266",
      "search/1/date → move/flights/0/date: 2026-05-27",
      "booking/flights/0/flight → keep/flights/0/flight: HAT266",
      "booking/flights/0/date → keep/flights/0/date: 2026-05-28",
    ]);
  });

  it("only to calls of the requested run, from any source", () => {
    expect(inferred("other", says("user", "Order W7741"), starts("find", { id: "W7741" })).edges).toEqual([]);
    expect(inferred("run", says("user", "Order W7741"), starts("find", { id: "W7741" })).edges).toHaveLength(1);
  });

  it("not to calls of a plan, whose edges are declared", () => {
    expect(
      lines(
        ["plan.proposed", { iteration: 1, calls: [] }],
        gives("find", { id: "W7741" }),
        starts("refund", { id: "W7741" }),
      ),
    ).toEqual([]);
  });

  it("not from a tool's message, which repeats its result", () => {
    expect(lines(says("tool", "W7741"), starts("refund", { id: "W7741" }))).toEqual([]);
  });

  it("report a value with too many parts", () => {
    const inference = inferred(
      null,
      gives(
        "all",
        Array.from({ length: 3_000 }, (_, index) => `W${index + 1_000}`),
      ),
    );
    expect(inference.cut).toBe(true);
  });

  it("from within an MCP answer: the path goes on in the JSON of its text", () => {
    const answer = { content: [{ type: "text", text: '{"orders":[{"id":"W7741","total":"1,200.00"}]}' }] };
    expect(lines(gives("find", answer), starts("refund", { order: "W7741", amount: 1200, total: 1200 }))).toEqual([
      "find/content/0/text/orders/0/id → refund/order: W7741",
      "find/content/0/text/orders/0/total → refund/amount: 1200",
      "find/content/0/text/orders/0/total → refund/total: 1200",
    ]);
  });

  it("from and to values within longer texts", () => {
    expect(
      lines(
        gives("log", { note: "Trip of pump E-207A, lockout key LK-5518-Q." }),
        starts("reset", { key: "LK-5518-Q", reason: "See E-207A" }),
      ),
    ).toEqual(["log/note → reset/key: LK-5518-Q", "log/note → reset/reason: E-207A"]);
  });

  it("a small number only where its field has the same name, or others come from the same object", () => {
    expect(
      lines(
        gives("ward", [
          { bed: "14C", patient: "MRN-48213", places: 14 },
          { bed: "21A", patient: "MRN-48231", places: 21 },
        ]),
        starts("move", { patient: "MRN-48213", bed: "14C", limit: 21, places: 14 }),
        starts("other", { retries: 14, spot: "21A" }),
      ),
    ).toEqual([
      "ward/0/patient → move/patient: MRN-48213",
      "ward/0/bed → move/bed: 14C",
      "ward/0/places → move/places: 14",
    ]);
  });

  it("not from words that are chosen from a few", () => {
    const user = { priority: "Medium", language: "English", day: "Monday", charset: "utf-8", tier: "Standard" };
    expect(
      lines(
        gives("user", user),
        starts("ticket", {
          priority: "Medium",
          language: "English",
          day: "Monday",
          charset: "utf-8",
          kind: "Standard",
        }),
      ),
    ).toEqual([]);
  });
});
