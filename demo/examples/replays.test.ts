import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../db/repositories.ts";
import { checkRun } from "../../lib/engine/replay/check-run.ts";
import type { SessionEvent } from "../../lib/session/event.ts";
import { LOCALES } from "../../lib/session/locale.ts";
import { EXAMPLES } from "./examples.ts";
import { outsideTools } from "./outside-tools.ts";
import { play } from "./play.ts";
import { stage } from "./testing/played.ts";
import { VirtualClock } from "./virtual-clock.ts";

const each = EXAMPLES.flatMap(({ example }) => LOCALES.map((locale) => ({ locale, example: example[locale] })));

/** As the log has them. */
function recorded(events: readonly NewEvent[]): SessionEvent[] {
  return events.map((event, index) => ({
    ...event,
    ...{ seq: index + 1, position: index + 1, recorded_at: event.occurred_at ?? "" },
  }));
}

async function today(example: (typeof each)[number]["example"]) {
  const clock = new VirtualClock(0);
  return {
    checker: stage.checker,
    tools: await outsideTools(example, clock, stage.checker),
    delegates: stage.delegates,
    memory: null,
    dialog: null,
    drafts: null,
    digest: (text: string) => createHash("sha256").update(text).digest("hex"),
  };
}

describe.each(each)("$example.id in $locale, given its recorded answers again", ({ example }) => {
  it("makes the same events", async () => {
    expect(checkRun(recorded(await play(example, stage)), await today(example))).toEqual({ outcome: "same" });
  });

  it("differs at the step where a recorded answer is another", async () => {
    const events = recorded(await play(example, stage));
    const written = events.findIndex(({ type }) => type === "state.written");
    const changed = events.with(written, {
      ...events[written],
      payload: { path: "†state.other", value: 1 },
    } as SessionEvent);
    expect(checkRun(changed, await today(example))).toMatchObject({
      outcome: "differs",
      why: expect.stringContaining(`step ${written + 1}`),
    });
  });

  it("can be checked where its tools are not known", async () => {
    const { tools, ...others } = await today(example);
    const none = { ...tools, list: () => [], find: () => undefined, activity: () => undefined };
    expect((await checkRun(recorded(await play(example, stage)), { ...others, tools: none })).outcome).toBe("same");
  });
});
