import { DAY, HOUR, MINUTE } from "../../demo/sessions/times.ts";
import type { ConversationStatus } from "../../lib/session/session.ts";
import { EN, type Language, RU } from "./many-texts.ts";
import { Random } from "./random.ts";
import { type Choice, type SeedEvent, type Seeding, SessionRecorder } from "./seeding.ts";

const YEAR_DAYS = 365;

const CHANNELS = [
  ["telegram", 45],
  ["web", 30],
  ["api", 15],
  ["import", 10],
] as const;

const STATUSES = [
  ["idle", 91],
  ["failed", 4],
  ["escalated", 2.5],
  ["waiting", 1.5],
  ["running", 1],
] as const satisfies readonly (readonly [ConversationStatus, number])[];

const STAGES = [
  [null, 40],
  ["admin", 40],
  ["demo", 15],
  ["demo_setup", 5],
] as const;

const AGENTS = ["admin", "demo", "crm", "support", "card-support", "invoice-triage", "logistics", "front-desk"];

/** Very many short conversations over a year, in two languages, of every channel and status: six events on average. */
export function manyConversations({ seed, size, now }: Choice): Seeding {
  return {
    total: Math.round(size * 6.2),
    events: conversations(seed, size, now),
    open: [
      { path: "/", shows: `${size.toLocaleString("en")} conversations` },
      { path: "/?q=refund", shows: "those that speak of a refund" },
      { path: "/?status=waiting", shows: "those that wait for a person" },
    ],
  };
}

function* conversations(seed: number, size: number, now: number): Generator<SeedEvent> {
  const random = new Random(seed);
  for (let number = 1; number <= size; number += 1) {
    // More recent ones than old ones.
    const age = YEAR_DAYS * DAY * random.next() ** 1.5 + 2 * HOUR;
    yield* converse(new SessionRecorder(`seed-many-${seed}-${number}`, Math.round(now - age)), random);
  }
}

function* converse(recorder: SessionRecorder, random: Random): Generator<SeedEvent> {
  const language = random.chance(0.5) ? RU : EN;
  const topic = random.pick(language.topics);
  const person = random.pick(language.people);
  const agent = random.pick(AGENTS);
  const stage = random.weigh(STAGES);
  const words = { number: random.between(1_000, 99_999), company: random.pick(language.companies) };
  const user = { actor: `user:${person}` };
  const created = {
    ...(random.chance(0.7) && { title: filled(topic.title, words) }),
    channel: random.weigh(CHANNELS),
    agent_id: agent,
    user_id: person,
  };
  yield recorder.tell("conversation.created", created, { actor: "system" });
  if (stage !== null) yield recorder.tell("stage.changed", { from: null, to: stage }, { actor: "system" }, 20);
  yield recorder.say("user", filled(random.pick(topic.asks), words), person, user, 500);
  const from = { actor: `agent:${agent}`, agent, run: `${recorder.conversation}:run-1` };
  yield recorder.tell("run.started", {}, from, 30);
  const answer = filled(random.pick(topic.answers), words);
  const status = random.weigh(STATUSES);
  yield* finish(recorder, status, { from, language, answer });
  if (status === "idle" && random.chance(0.4))
    yield recorder.say("user", random.pick(language.thanks), person, user, random.between(1, 50) * MINUTE);
}

interface Ending {
  from: { actor: string; agent: string; run: string };
  language: Language;
  answer: string;
}

/** Ends a conversation with a status. */
function* finish(
  recorder: SessionRecorder,
  status: ConversationStatus,
  { from, language, answer }: Ending,
): Generator<SeedEvent> {
  switch (status) {
    case "idle":
      yield recorder.say("assistant", answer, from.agent, from, 2_100);
      yield recorder.tell("run.finished", {}, from, 10);
      return;
    case "failed":
      yield recorder.tell(
        "run.failed",
        { error: { code: "MODEL_TIMEOUT", message: "No answer in 60 s" } },
        from,
        60_000,
      );
      return;
    case "escalated":
      yield recorder.tell("manager.alerted", { text: answer, reason: language.called }, from, 1_800);
      yield recorder.tell("run.finished", { reason: "escalated" }, from, 10);
      return;
    case "waiting":
      yield recorder.tell("run.waiting", { reason: "confirmation" }, from, 1_400);
      return;
    case "running":
      yield recorder.tell("run.iteration", { iteration: 1 }, from, 40);
      return;
    default:
      status satisfies never;
  }
}

function filled(text: string, { number, company }: { number: number; company: string }): string {
  return text.replaceAll("#", String(number)).replaceAll("@", company);
}
