import { shownText } from "../step/course/shown-text.ts";
import { isTurn } from "../step/course/taken-over.ts";
import type { Runner } from "./runner.ts";

/** The partial answer of one request, streamed to the user. */
export interface Draft {
  add(piece: string): void;
  /** The request has ended: nothing more is added. */
  end(): void;
}

/** A long text is scanned again only when it has grown by a fraction of its length: otherwise each chunk would cost a full scan. */
const STEPS = 128;

const UNWATCHED: Draft = { add: () => undefined, end: () => undefined };

/** The draft of a run's request; null if the answer is not for a user. */
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
