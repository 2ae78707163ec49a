import { describe, expect, it } from "vitest";
import { type Step, said } from "@/components/studio/testing/recorded.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import type { Session } from "@/lib/session/session.ts";
import { session as events } from "@/lib/session/testing/events.ts";
import { looksSame, sectionKeeper } from "./same-section.ts";
import type { Scene } from "./scene.ts";
import { type Section, sectionsOf } from "./sections.ts";

const turn = (run_id: string): Step[] => [
  ["run.started", {}, { run_id }],
  ["call.started", { call_id: "a", tool: "look.up" }, { run_id }],
  ["call.succeeded", { call_id: "a", tool: "look.up" }, { run_id }],
  said(`answer ${run_id}`, "assistant", "Done", { run_id }),
  ["run.finished", {}, { run_id }],
];

/** The sessions after two steps, the later folded from the earlier, as in the studio. */
function twice(steps: Step[], first: number): [Session, Session] {
  const all = events(...steps);
  const before = fold(emptySession("c"), all.slice(0, first));
  return [before, fold(before, all.slice(first))];
}

const scene = (session: Session, change: Partial<Scene> = {}): Scene => ({
  session,
  channel: null,
  newestAnswer: null,
  setFrom: 0,
  at: session.at,
  current: null,
  selected: null,
  onSelect,
  ...change,
});
const onSelect = () => undefined;

const ids = (sections: readonly Section[]) => sections.map(({ id }) => id);

describe("C5: a step does not render unchanged parts of the thread", () => {
  it("sections of other runs keep their identity", () => {
    const [before, after] = twice([...turn("one"), ...turn("two"), ...turn("three")], 12);
    const keep = sectionKeeper();
    const first = keep(sectionsOf(before, [], ""));
    const second = keep(sectionsOf(after, [], ""));
    expect(ids(second)).toEqual(["one", "two", "three"]);
    expect(second.map((section, index) => section === first[index])).toEqual([true, true, false]);
    expect(second).toEqual(sectionsOf(after, [], ""));
  });

  it("a section with an added or removed entry is new", () => {
    const [before, after] = twice([...turn("one"), said("late", "assistant", "One more", { run_id: "one" })], 5);
    const keep = sectionKeeper();
    const [short] = keep(sectionsOf(before, [], ""));
    const [long] = keep(sectionsOf(after, [], ""));
    const [shortAgain] = keep(sectionsOf(before, [], ""));
    expect(long?.entries).toHaveLength(3);
    expect([long === short, shortAgain === long]).toEqual([false, false]);
  });

  it("a section looks the same while step, selection and newest answer are in another run", () => {
    const [before, after] = twice([...turn("one"), ...turn("two")], 7);
    const [one] = sectionsOf(after, [], "");
    const calls = [...after.calls.values()];
    const [ofOne = null, ofTwo = null] = calls;
    if (!one) throw new Error("There is no section");
    const was = scene(before, { newestAnswer: "an answer" });
    expect(looksSame(one, was, scene(after, { current: ofTwo, newestAnswer: "answer two" }))).toBe(true);
    expect(looksSame(one, was, scene(after, { current: ofOne }))).toBe(false);
    expect(looksSame(one, was, scene(after, { selected: ofOne }))).toBe(false);
    expect(looksSame(one, was, scene(after, { at: 4 }))).toBe(false);
    expect(looksSame(one, was, scene(after, { newestAnswer: "answer one" }))).toBe(false);
    expect(looksSame(one, was, scene(after, { setFrom: 5 }))).toBe(false);
    expect(looksSame(one, was, scene(after, { channel: "api" }))).toBe(false);
  });

  it("a running section renders with the session", () => {
    const [before, after] = twice([...turn("one"), ...turn("two")], 7);
    const two = sectionsOf(before, [], "").at(-1);
    expect(two && looksSame(two, scene(before), scene(after))).toBe(false);
  });
});
