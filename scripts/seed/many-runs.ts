import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import { Random } from "./random.ts";
import { type Choice, type SeedEvent, type Seeding, SessionRecorder } from "./seeding.ts";

const AGENT = "travel-desk";
const USER = "maja.holm";
const WISHES = [
  "I need to move my flight to the day after, and my bag is heavier than I thought.",
  "Can you look for something cheaper on these days?",
  "Please cancel the reservation and send the money back to the card I paid with.",
  "My wife travels on the same booking. Her passport number has changed.",
  "That sounds good. Yes, please go ahead.",
];
const CITIES = ["OSL", "CPH", "ARN", "HEL", "BGO", "TRD", "KEF"];
/** The share of calls that fail, of runs that do not call anything, and of alerts. */
const FAILING = 0.03;
const SILENT = 0.12;
const ESCALATING = 0.02;

/** A long chat of an agent without plans: many runs, in which values of earlier runs come back. */
export function manyRuns({ seed, size, now }: Choice): Seeding {
  const id = `seed-many-runs-${size}-${seed}`;
  return {
    total: size * 3,
    events: recordChat(new SessionRecorder(id, now - size * 3_000), new Random(seed), size),
    open: [{ path: `/conversations/${id}?plan=session`, shows: `a session of ${size.toLocaleString("en")} calls` }],
  };
}

/** What earlier calls have found, which later ones use. */
interface Known {
  bookings: string[];
  flights: string[];
  payments: string[];
}

function* recordChat(recorder: SessionRecorder, random: Random, size: number): Generator<SeedEvent> {
  const known: Known = { bookings: [], flights: [], payments: [] };
  yield recorder.tell(
    "conversation.created",
    { title: `Travel desk: ${size.toLocaleString("en")} calls`, channel: "web" },
    { actor: "system" },
  );
  let left = size;
  for (let number = 1; left > 0; number += 1) {
    yield recorder.say("user", random.pick(WISHES), USER, { actor: `user:${USER}` }, random.between(200, 900));
    const from = { actor: `agent:${AGENT}`, agent: AGENT, run: `${recorder.conversation}:run-${number}` };
    yield recorder.tell("run.started", {}, from, 20);
    let iteration = 0;
    const calls = random.chance(SILENT) ? 0 : Math.min(left, random.between(1, 24));
    for (let done = 0; done < calls; ) {
      iteration += 1;
      const beside = Math.min(calls - done, random.chance(0.2) ? random.between(2, 4) : 1);
      yield recorder.tell("run.iteration", { iteration }, from, 5);
      yield* recordStep(recorder, random, { known, from, iteration, beside, left });
      done += beside;
      left -= beside;
    }
    if (random.chance(ESCALATING))
      yield recorder.tell("manager.alerted", { text: "The customer asks for a person." }, from, 20);
    yield recorder.say("assistant", "It is done. Is there anything else?", AGENT, from, 60);
    yield recorder.tell("run.finished", {}, from, 5);
  }
}

interface Step {
  known: Known;
  from: { actor: string; agent: string; run: string };
  iteration: number;
  /** How many calls run side by side. */
  beside: number;
  left: number;
}

function* recordStep(recorder: SessionRecorder, random: Random, step: Step): Generator<SeedEvent> {
  const { known, from, iteration, beside, left } = step;
  const calls = Array.from({ length: beside }, (_, index) => ({
    call_id: `call-${left - index}`,
    iteration,
    ...callOf(random, known, left - index),
  }));
  for (const { call_id, tool, params } of calls)
    yield recorder.tell("call.started", { call_id, iteration, tool, params }, from, 10);
  for (const { call_id, tool, output } of calls) {
    const from_tool = { ...from, actor: `tool:${tool}` };
    if (random.chance(FAILING)) {
      const error = { code: "rejected", message: "The payment does not add up: the total is 375, but 299 was paid." };
      yield recorder.tell("call.failed", { call_id, iteration, tool, error }, from_tool, random.between(40, 400));
    } else
      yield recorder.tell("call.succeeded", { call_id, iteration, tool, output }, from_tool, random.between(40, 400));
  }
}

/** A call with values that earlier ones have found; its own are new. */
function callOf(random: Random, known: Known, number: number): { tool: string; params: JsonObject; output: Json } {
  const booking = known.bookings.length > 0 ? random.pick(known.bookings) : null;
  const flight = known.flights.length > 0 ? random.pick(known.flights) : null;
  const payment = known.payments.length > 0 ? random.pick(known.payments) : null;
  const kind =
    booking === null || flight === null || payment === null
      ? "user"
      : random.pick(["search", "search", "search", "get", "book", "user"]);
  switch (kind) {
    case "search": {
      const found = `SK${4_000 + number}`;
      known.flights.push(found);
      const params = { from: random.pick(CITIES), to: random.pick(CITIES), date: "2026-12-04" };
      return { tool: "search_direct_flight", params, output: [{ flight: found, price: 900 + number, seats: 4 }] };
    }
    case "get":
      return {
        tool: "get_reservation_details",
        params: { reservation: booking },
        output: { reservation: booking, passengers: 2 },
      };
    case "book": {
      const next = `RES${70_000 + number}`;
      known.bookings.push(next);
      return { tool: "book_reservation", params: { flight, payment }, output: { reservation: next } };
    }
    default: {
      const [reservation, pays] = [`RES${70_000 + number}`, `gift_card_${500_000 + number}`];
      known.bookings.push(reservation);
      known.payments.push(pays);
      known.flights.push(`SK${4_000 + number}`);
      const output = { reservations: [reservation], payments: [pays], next_flight: `SK${4_000 + number}` };
      return { tool: "get_user_details", params: { user: USER }, output };
    }
  }
}
