import { shownText } from "../step/course/shown-text.ts";
import { isTurn } from "../step/course/taken-over.ts";
import type { Runner } from "./runner.ts";

/** What an agent says with one request, for its user to watch as it comes. */
export interface Draft {
  add(piece: string): void;
  /** The request has ended, in whatever way: nothing is added any more. */
  end(): void;
}

/** A long text is looked through again only when it has grown by a part of its length: else each piece would cost all of it. */
const STEPS = 128;

const UNWATCHED: Draft = { add: () => undefined, end: () => undefined };

/** A draft of what a run's request gives; nobody watches what is not said to a user. */
export function openDraft(run: Runner): Draft {
  const { drafts } = run.engine.ports;
  const { prefix, silent } = run.state.settings;
  if (!drafts || !isTurn(run.run) || silent) return UNWATCHED;
  const { id: run_id, conversation_id, agent_id } = run.state;
  let said = "";
  let ended = false;
  let next = 0;
  return {
    add(piece) {
      if (ended) return;
      said += piece;
      if (said.length < next) return;
      next = said.length + Math.floor(said.length / STEPS);
      const text = shownText(said, drafts.markers);
      if (text !== "") drafts.write({ conversation_id, run_id, agent_id, text: prefix + text });
    },
    end() {
      if (ended) return;
      ended = true;
      drafts.end(run_id);
    },
  };
}
