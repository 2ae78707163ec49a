import { describe, expect, test } from "vitest";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { MapBuilder } from "@/lib/session/map/session-map.ts";
import { session } from "@/lib/session/testing/events.ts";
import { playheadY, statusAt, stepIn } from "./at-step.ts";
import { createBandsReader, type Grouping, keyOf } from "./bands.ts";
import { createMapLayout, type MapLayout, SIZES } from "./layout.ts";
import { chipsOf, followValue, linksOf, readersOf } from "./links.ts";
import { innerLines, railsOf, sharedColumns } from "./routes.ts";
import { neighbourOf } from "./use-map-keys.ts";

type Step = Parameters<typeof session>[number];

const run = (id: string) => ({ run_id: id });
/** A call that starts and ends. */
const done = (runId: string, call_id: string, tool = call_id, params: JsonObject = {}): Step[] => [
  ["call.started", { call_id, tool, params }, run(runId)],
  ["call.succeeded", { call_id, tool, output: null }, run(runId)],
];
const failed = (runId: string, call_id: string, tool = call_id): Step[] => [
  ["call.started", { call_id, tool }, run(runId)],
  ["call.failed", { call_id, tool, error: { code: "no", message: "No" } }, run(runId)],
];
const says = (id: string): Step => ["message.created", { message_id: id, role: "user", content: id }, { run_id: null }];
const begins = (id: string): Step => ["run.started", {}, run(id)];
const ends = (id: string): Step => ["run.finished", {}, run(id)];

const ALL: Grouping = { until: Number.POSITIVE_INFINITY, opened: new Set() };
const PANE = { level: "near", width: 700, phone: false } as const;

function mapOf(events: readonly SessionEvent[]) {
  const builder = new MapBuilder();
  for (const event of events) builder.add(event);
  return builder.map();
}

function laidOut(steps: Step[], grouping = ALL, settings: Parameters<ReturnType<typeof createMapLayout>>[1] = PANE) {
  return createMapLayout()(createBandsReader()(mapOf(session(...steps)), grouping), settings);
}

const cards = ({ bands }: MapLayout) => bands.flatMap((band) => band.cards);
const names = (layout: MapLayout) => cards(layout).map(({ entry }) => entry.calls.map(({ id }) => id).join("+"));

/** No two cards of a band may overlap, and none may reach out of the pane or into the gutter. */
function expectApart(layout: MapLayout) {
  for (const { cards, height } of layout.bands)
    for (const [index, card] of cards.entries()) {
      expect(card.x).toBeGreaterThanOrEqual(SIZES.gutter);
      expect(card.x + card.width).toBeLessThanOrEqual(layout.width);
      expect(card.y + card.height).toBeLessThanOrEqual(height);
      for (const other of cards.slice(index + 1)) {
        const apart =
          card.x + card.width <= other.x ||
          other.x + other.width <= card.x ||
          card.y + card.height <= other.y ||
          other.y + other.height <= card.y;
        expect(apart).toBe(true);
      }
    }
}

describe("C4: bands of the session's map", () => {
  test("runs are in order, with the calls of their delegates in a frame", () => {
    const layout = laidOut([
      ...[says("one"), begins("a"), ["call.started", { call_id: "ask", tool: "ask" }, run("a")] satisfies Step],
      ["run.started", { call_id: "ask", delegate: "helper" }, { run_id: "child", parent_run_id: "a" }],
      ...[...done("child", "inner"), ["call.succeeded", { call_id: "ask", tool: "ask" }, run("a")] satisfies Step],
      ...[ends("a"), says("two"), begins("b"), ...done("b", "last")],
    ]);
    expect(layout.bands.map(({ band }) => [band.number, band.run.words?.text, band.calls.length])).toEqual([
      [1, "one", 2],
      [2, "two", 1],
    ]);
    const [frame] = layout.bands[0]?.frames ?? [];
    const inner = layout.bands[0]?.cards.find(({ entry }) => entry.calls[0].id === "inner");
    expect(frame?.entry.name).toBe("helper");
    expect(inner && frame && inner.x > frame.x && inner.y + inner.height < frame.y + frame.height).toBe(true);
    expectApart(layout);
  });

  test("runs whose parents form a circle are drawn once each", () => {
    const layout = laidOut([
      ["run.started", {}, { run_id: "a", parent_run_id: "b" }],
      ["run.started", {}, { run_id: "b", parent_run_id: "a" }],
      ["run.started", {}, { run_id: "c", parent_run_id: "b" }],
    ]);
    expect(layout.bands.map(({ band }) => band.run.id)).toEqual(["a", "b", "c"]);
  });

  test("calls of one wave stand beside each other over a bracket, and those after it behind an arrow", () => {
    const start = (call_id: string): Step => ["call.started", { call_id, tool: call_id }, run("a")];
    const end = (call_id: string): Step => ["call.succeeded", { call_id, tool: call_id }, run("a")];
    const layout = laidOut([begins("a"), start("x"), start("y"), end("x"), end("y"), ...done("a", "z")]);
    const [x, y, z] = cards(layout);
    expect(new Set([x?.y, y?.y, z?.y]).size).toBe(1);
    expect(layout.bands[0]?.brackets).toHaveLength(1);
    expect(layout.bands[0]?.thens.map(({ x }) => x)).toEqual([(z?.x ?? 0) - SIZES.card.gap]);
  });

  test("three equal calls in a row share a card, opened they stand in a frame; a failed one stands alone", () => {
    const steps = [
      ...[begins("a"), ...done("a", "1", "get"), ...done("a", "2", "get"), ...done("a", "3", "get")],
      ...[...failed("a", "4", "get"), ...done("a", "5", "get"), ...done("a", "6", "get")],
    ];
    const layout = laidOut(steps);
    expect(names(layout)).toEqual(["1+2+3", "4", "5", "6"]);
    const id = cards(layout)[0]?.entry.id ?? "";
    const open = laidOut(steps, { ...ALL, opened: new Set([id]) });
    expect(names(open)).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(open.bands[0]?.frames).toHaveLength(1);
    expectApart(open);
  });

  test("a failed run without a failed call counts, too", () => {
    const { bands } = laidOut([
      begins("a"),
      ["run.failed", { error: "No model" }, run("a")],
      begins("b"),
      ...failed("b", "x"),
    ]);
    expect(bands.map(({ band }) => band.failures)).toEqual([1, 1]);
  });

  test("a live call moves nothing that stands, and other bands keep their identity", () => {
    const steps = [
      ...[says("one"), begins("a"), ...done("a", "1", "get"), ...done("a", "2", "get"), ends("a")],
      ...[says("two"), begins("b"), ...done("b", "3", "get"), ...done("b", "4", "get")],
    ];
    const more = [
      ...done("b", "5", "get"),
      ...failed("b", "6"),
      ...done("b", "7"),
      ends("b"),
      says("three"),
      begins("c"),
    ];
    const events = session(...steps, ...more);
    const builder = new MapBuilder();
    const [read, layOut] = [createBandsReader(), createMapLayout()];
    for (const event of events.slice(0, steps.length)) builder.add(event);
    const grouping = { ...ALL, until: steps.length };
    let before = layOut(read(builder.map(), grouping), PANE);
    for (const event of events.slice(steps.length)) {
      builder.add(event);
      const next = layOut(read(builder.map(), grouping), PANE);
      for (const [key, { x, y }] of before.places) expect(next.places.get(key)).toMatchObject({ x, y });
      expect(next.bands[0]).toBe(before.bands[0]);
      before = next;
    }
    expect(names(before)).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  });

  test("on a phone there is one card in a row, and many calls never reach out of the pane", () => {
    const many = Array.from({ length: 60 }, (_, index) => done("a", `c${index}`)).flat();
    for (const width of [340, 700, 1_600])
      for (const level of ["near", "far"] as const) {
        const layout = laidOut([begins("a"), ...many], ALL, { level, width, phone: false });
        expectApart(layout);
        for (const { x, width: wide } of layout.places.values()) expect(x + wide).toBeLessThanOrEqual(width);
      }
    const phone = laidOut([begins("a"), ...many], ALL, { ...PANE, width: 390, phone: true });
    expect(new Set(cards(phone).map(({ x }) => x)).size).toBe(1);
  });

  test("from afar equal neighbours share a label, and very many become one mark", () => {
    const many = Array.from({ length: 20 }, (_, index) => done("a", `c${index}`, "get")).flat();
    const far = laidOut([begins("a"), ...many, ...failed("a", "x", "get"), ...done("a", "y", "get")], ALL, {
      ...PANE,
      level: "far",
    });
    expect(far.bands[0]?.marks.map(({ calls, merged }) => [calls.length, merged])).toEqual([
      [20, true],
      [1, false],
      [1, false],
    ]);
    expect(far.height).toBeLessThan(50);
  });
});

describe("C4: values on the session's map", () => {
  const map = mapOf(
    session(
      ...[begins("a"), ...done("a", "get"), ...done("a", "own"), ends("a")],
      ...[begins("b"), ...done("b", "first"), ...done("b", "second"), ends("b")],
    ),
  );
  const [get, own, first, second] = map.calls.map(keyOf);
  const place = (run_id: string, call_id: string) => ({ run_id, iteration: 1, instance: "", call_id });
  const edge = (to: string, value: string, from = "get") => ({
    from: { kind: "call" as const, call: place("a", from), path: "/id" },
    ...{ to: place(to === "own" ? "a" : "b", to), to_path: "/id", value },
  });
  const links = linksOf(
    map,
    new Map([
      [own ?? "", [edge("own", "G72")]],
      [first ?? "", [edge("first", "G72"), edge("first", "G72"), edge("first", "K11")]],
      [second ?? "", [edge("second", "G72"), edge("second", "lost", "unknown")]],
    ]),
  );
  const layout = createMapLayout()(createBandsReader()(map, ALL), PANE);

  test("a value has one chip, and is followed from its source to each call that used it", () => {
    expect(chipsOf(links, map.calls.slice(2, 3)).map(({ value }) => value)).toEqual(["G72", "K11"]);
    const [source] = links.get(first ?? "") ?? [];
    expect(source && followValue(map, links, source).uses).toEqual([own, first, second]);
    expect(readersOf(links).get(get ?? "")).toEqual([own, first, second]);
  });

  test("a line between bands runs in the gutter, one within a band between the rows, and none crosses a card", () => {
    const rails = railsOf(layout, links, false);
    expect(rails).toHaveLength(1);
    expect(rails[0]?.branches).toHaveLength(2);
    expect(rails[0]?.x).toBeLessThan(SIZES.gutter);
    expect(innerLines(layout.bands[0] ?? expect.fail(), links)).toHaveLength(1);
    const lines = layout.bands.flatMap((band, index) =>
      innerLines(band, links).map(({ points }) => points.map(({ x, y }) => ({ x, y: y + (layout.tops[index] ?? 0) }))),
    );
    for (const points of [...lines, ...(rails[0]?.branches.map((branch) => branch.points) ?? [])])
      for (const [index, to] of points.entries()) {
        const from = points[index - 1] ?? to;
        for (const card of layout.places.values()) {
          const inside =
            Math.max(from.x, to.x) > card.x + 1 &&
            Math.min(from.x, to.x) < card.x + card.width - 1 &&
            Math.max(from.y, to.y) > card.y + 1 &&
            Math.min(from.y, to.y) < card.y + card.height - 1;
          expect(inside).toBe(false);
        }
      }
  });

  test("five and more rails share lanes, and say so", () => {
    const steps = Array.from({ length: 8 }, (_, index) => [
      begins(`r${index}`),
      ...done(`r${index}`, `c${index}`),
      ends(`r${index}`),
    ]);
    const long = mapOf(session(...steps.flat()));
    const last = long.calls.map(keyOf).at(-1) ?? "";
    const edges = long.calls.slice(0, 7).map(({ run_id, id }) => ({
      from: { kind: "call" as const, call: place(run_id, id), path: "" },
      ...{ to: place("r7", "c7"), to_path: "/x", value: id },
    }));
    const rails = railsOf(
      createMapLayout()(createBandsReader()(long, ALL), PANE),
      linksOf(long, new Map([[last, edges]])),
      false,
    );
    expect(new Set(rails.map(({ x }) => x)).size).toBe(4);
    expect(sharedColumns(rails).map(({ count }) => count)).toEqual([4]);
  });
});

describe("C4: a step on the session's map", () => {
  const steps = [
    says("one"),
    begins("a"),
    ...done("a", "x"),
    ...failed("a", "y"),
    ends("a"),
    begins("b"),
    ...done("b", "z"),
  ];
  const map = mapOf(session(...steps));
  const layout = createMapLayout()(createBandsReader()(map, ALL), PANE);

  test("a call has the status that it had, and one that is yet to come how it will end", () => {
    const [x, y] = map.calls;
    if (!x || !y) expect.fail();
    expect([2, 3, 4].map((at) => statusAt(x, at))).toEqual(["succeeded", "running", "succeeded"]);
    expect([4, 5, 6].map((at) => statusAt(y, at))).toEqual(["failed", "running", "failed"]);
  });

  test("the playhead is below what has happened, and only its own band depends on the step", () => {
    const [first, second] = layout.bands;
    if (!first || !second) expect.fail();
    expect([stepIn(first, 5), stepIn(second, 5)]).toEqual([5, -1]);
    expect([stepIn(first, 8), stepIn(second, 8)]).toEqual([Number.POSITIVE_INFINITY, 8]);
    expect(playheadY(layout, 7)).toBe(layout.tops[1]);
    expect(playheadY(layout, steps.length)).toBe(layout.height);
    expect(playheadY(layout, 4)).toBeLessThan(layout.tops[1] ?? 0);
  });

  test("arrow keys go along the calls, and to the nearest of another row", () => {
    const [x, y, z] = map.calls.map(keyOf);
    expect(neighbourOf(layout, x ?? "", "ArrowRight")).toBe(y);
    expect(neighbourOf(layout, x ?? "", "ArrowDown")).toBe(z);
    expect(neighbourOf(layout, z ?? "", "ArrowUp")).toBe(x);
    expect(neighbourOf(layout, z ?? "", "ArrowRight")).toBeNull();
    expect(neighbourOf(layout, x ?? "", "a")).toBeUndefined();
  });
});
