import { checkPlan } from "../step/course/propose.ts";
import type { StepEnv } from "../step/env.ts";
import type { InputOf } from "../step/input.ts";
import { RunMemory } from "../step/state/run-memory.ts";
import { withMemory } from "../step/state/run-reads.ts";
import { type RunSettings, readSettings } from "../step/state/run-settings.ts";
import type { Toolset } from "../tools/toolset.ts";
import { cannot, type Recorded, type RecordedEvent } from "./replaying.ts";

/** The input that a recorded top-level run began with. */
export function beginningOf(events: readonly RecordedEvent[], env: StepEnv, toolset: Toolset): InputOf<"begin"> {
  const started = events.find((event): event is Recorded<"run.started"> => event.type === "run.started");
  if (!started) return cannot("Its beginning is not recorded");
  const { continues, agent_version, queued = false } = started.payload;
  const {
    delegate: _,
    prefix: _prefix,
    silent: _silent,
    configuration: _none,
    ...settings
  } = readSettings(started.payload);
  const { answers } = settings;
  return {
    kind: "begin",
    queued,
    beginning: {
      ...settings,
      isNewConversation: events[0]?.type === "conversation.created",
      // Its words are the conversation's, not the run's.
      message: answers === null || started.caused_by !== answers ? null : { id: answers, content: "" },
      continues,
      agent_version,
      delegate: null,
      plan: givenPlan(events, settings, env, toolset),
    },
  };
}

/** The plan that came with the request: it follows the first iteration at once. Null if a model made it. */
function givenPlan(
  events: readonly RecordedEvent[],
  { context, user_scope }: Pick<RunSettings, "context" | "user_scope">,
  env: StepEnv,
  toolset: Toolset,
) {
  const first = events.findIndex(({ type }) => type === "run.iteration");
  const proposed = events[first + 1];
  if (first < 0 || proposed?.type !== "plan.proposed") return null;
  const { calls, output } = proposed.payload;
  if (env.memory === null || user_scope === null) return { calls, output, checked: null };
  // It was validated against the memory as it stood then, which the log tells after it.
  const memory = new RunMemory();
  const told = events.find((event): event is Recorded<"memory.updated"> => event.type === "memory.updated");
  if (!told) return cannot("The memory that its plan was validated against is not recorded");
  memory.apply(told.payload);
  const { document } = memory;
  const { outline, ...checked } = checkPlan(
    env,
    calls,
    toolset,
    document ? withMemory(context, document) : context,
    [],
  );
  return { calls, output, checked: { ...checked, outline: checked.ok ? outline() : null } };
}
