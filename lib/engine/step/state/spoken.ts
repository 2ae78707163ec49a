import type { Payload } from "../../../session/events/catalogue.ts";
import { readOutput } from "../course/output.ts";
import type { RunCall } from "./run-call.ts";
import type { RunEvent } from "./run-event.ts";
import type { RunState } from "./run-state.ts";

/** What an agent says in its part of a directed turn (D6). */
export interface Part {
  readonly node: string;
  readonly agent_id: string;
  /** The run's iterations before it: an agent's limit counts only its own. */
  readonly before: number;
  /** In its completed iterations. */
  readonly calls: RunCall[];
  /** Null until it ends, and if there was none. */
  answer: string | null;
  /** Of its last response; null if there was none. */
  response_id: string | null;
}

/** A directed turn so far: the nodes entered, and who said what. Changed only by applying the run's events (P23). */
export class Spoken {
  /** The nodes entered, in order. */
  readonly told: Payload<"stage.entered">[] = [];
  readonly parts: Part[] = [];

  get newest(): Part | undefined {
    return this.parts.at(-1);
  }

  /** Applies an event, before the run's state does. */
  apply(run: RunState, event: RunEvent): void {
    const { newest } = this;
    switch (event.type) {
      case "stage.entered":
        this.told.push(event.payload);
        return;
      case "model.responded":
        // A latent tool's result is asked for while a plan stands.
        if (newest && run.proposed === null) newest.response_id = event.payload.response_id ?? null;
        return;
      case "run.iteration": {
        newest?.calls.push(...run.calls());
        const { speaker } = event.payload;
        if (!speaker) return;
        if (newest) newest.answer = answerOf(run);
        const { node, agent_id } = speaker;
        this.parts.push({ node, agent_id, before: run.iteration, calls: [], answer: null, response_id: null });
        return;
      }
      default:
        // It does not depend on other events.
        return;
    }
  }
}

/** What the newest proposal says to the user; null for nothing. */
export function answerOf(run: RunState): string | null {
  const output = run.proposed?.output;
  const given = output === undefined ? null : readOutput(run, run.instances[0] ?? "", output);
  const said = given?.ok ? (given.output ?? null) : null;
  return typeof said === "string" || said === null ? said : JSON.stringify(said);
}
