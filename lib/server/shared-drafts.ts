import { z } from "zod";
import type { Replicas } from "../../db/replicas.ts";
import { createNotifier } from "../event-loop/notifier.ts";
import type { SessionEvent } from "../session/event.ts";
import type { LiveDraft, LiveDrafts } from "./drafts.ts";

/** Others are told of growth this often, ms: people do not see more. */
const TELL_MS = 100;

/** Readers are notified at most once in this time, ms. */
const SHOW_MS = 50;

/** Characters of a piece: each takes six bytes at most as JSON, and a notice has 7,500 with the ids. */
const A_PIECE = 900;

/** A draft that has not grown for so long is forgotten, as its replica may have ended; ms. If it grows again, it is asked for. */
const FORGET_MS = 60_000;

/** The beginning of a draft is asked for this often at most, ms. */
const ASK_MS = 500;

const notice = z.discriminatedUnion("act", [
  z.object({
    act: z.literal("grow"),
    ...{ run_id: z.string(), conversation_id: z.string(), agent_id: z.string().nullable() },
    ...{ since: z.number(), offset: z.number(), text: z.string() },
  }),
  z.object({ act: z.literal("end"), run_id: z.string() }),
  /** Somebody lacks the beginning. */
  z.object({ act: z.literal("ask"), run_id: z.string() }),
]);

type Notice = z.infer<typeof notice>;

/** A draft of another replica. */
interface Foreign {
  draft: LiveDraft & { text: string };
  from: string;
  grewAt: number;
}

/** Events after which the answer of a run is in the log. */
const ANSWERED = new Set(["message.created", "run.finished", "run.failed", "run.cancelled"]);

/**
 * Shows readers the drafts of all replicas. Each tells the others what its drafts have grown by, piece by piece, over the
 * notices between replicas; who lacks a piece asks for all of the draft again. Nothing of it is stored.
 */
export function shareDrafts(
  own: LiveDrafts,
  { tell, hear, follow }: Pick<Replicas, "tell" | "hear" | "follow">,
): LiveDrafts {
  /** How much of each own draft the others were told. */
  const told = new Map<string, number>();
  const foreign = new Map<string, Foreign>();
  const asked = new Map<string, number>();
  const growth = createNotifier<void>(() => TELL_MS);
  const foreignGrowth = createNotifier<void>(() => SHOW_MS);

  const send = (message: Notice) => tell("drafts", JSON.stringify(message));

  function tellGrowth(): void {
    for (const { run_id, conversation_id, agent_id, since, text } of own.list()) {
      for (let offset = told.get(run_id) ?? 0; offset < text.length; offset += A_PIECE) {
        const piece = text.slice(offset, offset + A_PIECE);
        send({ act: "grow", run_id, conversation_id, agent_id, since, offset, text: piece });
      }
      told.set(run_id, text.length);
    }
  }

  function take(message: Notice, from: string): void {
    switch (message.act) {
      case "grow":
        return grow(message, from);
      case "end":
        foreign.delete(message.run_id);
        return;
      case "ask":
        if (!told.has(message.run_id)) return;
        told.delete(message.run_id);
        growth.publish();
        return;
      default:
        return message satisfies never;
    }
  }

  function grow({ offset, text, ...piece }: Notice & { act: "grow" }, from: string): void {
    const { run_id, conversation_id, agent_id, since } = piece;
    let known = foreign.get(run_id);
    if (known?.from !== from || known.draft.since !== since) known = undefined;
    if (offset > (known?.draft.text.length ?? 0)) return ask(run_id);
    known ??= { draft: { run_id, conversation_id, agent_id, since, text: "" }, from, grewAt: 0 };
    const { draft } = known;
    known.grewAt = performance.now();
    foreign.set(run_id, known);
    const missing = draft.text.length - offset;
    if (missing >= text.length) return;
    draft.text += text.slice(missing);
    foreignGrowth.publish();
  }

  function ask(run_id: string): void {
    const now = performance.now();
    if (now - (asked.get(run_id) ?? Number.NEGATIVE_INFINITY) < ASK_MS) return;
    asked.set(run_id, now);
    send({ act: "ask", run_id });
  }

  /** A piece may come after the answer: then it would be shown once more. */
  function forgetAnswered(events: readonly SessionEvent[]): void {
    for (const { type, run_id, position } of events) {
      const known = run_id !== null && ANSWERED.has(type) ? foreign.get(run_id) : undefined;
      if (known && known.draft.since < position) foreign.delete(known.draft.run_id);
    }
  }

  function forgetOld(): void {
    const now = performance.now();
    for (const [id, { grewAt }] of foreign) if (now - grewAt > FORGET_MS) foreign.delete(id);
    for (const [id, at] of asked) if (now - at > FORGET_MS) asked.delete(id);
  }

  growth.subscribe(tellGrowth);
  hear("drafts", (text, from) => take(notice.parse(JSON.parse(text)), from));
  follow(() => (foreign.size > 0 ? ANSWERED : []), forgetAnswered);
  setInterval(forgetOld, FORGET_MS).unref();
  return {
    markers: own.markers,
    write(draft) {
      own.write(draft);
      growth.publish();
    },
    end(runId) {
      own.end(runId);
      if (told.delete(runId)) send({ act: "end", run_id: runId });
    },
    *list() {
      yield* own.list();
      for (const { draft } of foreign.values()) yield draft;
    },
    subscribe(listener) {
      const ends = [own.subscribe(listener), foreignGrowth.subscribe(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
  };
}
