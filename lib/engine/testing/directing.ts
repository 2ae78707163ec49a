import type { RunRequest } from "../engine.ts";
import type { DirectedTurn, Direction, Director, Speaker, SpokenPart } from "../turn.ts";
import { AGENT } from "./setup.ts";

/** A turn of the user ann that is directed. */
export function directedTurn(n = 1): Partial<RunRequest> & { conversation_id: string } {
  const message = { id: `m${n}`, content: `say ${n}` };
  const turn = { ...AGENT, instructions: null, run_id: `r${n}`, message };
  return { user_id: "ann", agent_id: "admin", conversation_id: "c", turn };
}

/** An agent as it speaks, named as its node. */
export function speaker(name: string, more: Partial<Speaker> = {}): Speaker {
  const { history, timezone } = AGENT;
  return {
    ...{ agent_id: name, node: `handle_${name}`, instructions: `You are ${name}.`, history, timezone },
    ...{ tools: null, mode: "execute", max_iterations: 10 },
    ...{ prefix: "", silent: false, configuration: null, note: null, agent_version: null },
    ...more,
  };
}

/** Has these speak one after another, each after its node is told, and ends with what the last one answered. */
export function inTurn(...speakers: Speaker[]): Director & { asked: DirectedTurn[] } {
  const asked: DirectedTurn[] = [];
  return {
    asked,
    async next(turn): Promise<Direction> {
      asked.push(turn);
      const next = speakers[turn.parts.length];
      const node = next?.node ?? "END";
      const events = turn.told.some((each) => each.node === node)
        ? []
        : [{ type: "stage.entered" as const, payload: { node } }];
      if (next) return { kind: "ask", speaker: next, events };
      return { kind: "answer", text: lastAnswer(turn.parts), events };
    },
  };
}

function lastAnswer(parts: readonly SpokenPart[]): string {
  return parts.at(-1)?.answer ?? "";
}
