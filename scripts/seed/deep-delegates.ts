import type { NewEvent } from "../../db/repositories.ts";
import type { Outcome, Scene } from "../../demo/sessions/scene.ts";
import { Story } from "../../demo/sessions/story.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { Random } from "./random.ts";
import type { Choice, SeedEvent, Seeding } from "./seeding.ts";

/** Each level delegates to the next, down to the one that asks a supplier. */
const LEVELS = ["assess_lot", "price_position", "find_supplier", "check_stock", "ask_supplier"];
const LOTS = ["①", "②", "③"];

/** A tender whose lots are processed concurrently, each by delegates nested five deep (P27). */
export function deepDelegates({ seed, now }: Choice): Seeding {
  const id = `seed-deep-delegates-${seed}`;
  const random = new Random(seed);
  const about = {
    id,
    title: "Тендер 0318: три лота",
    channel: "web",
    user: "Ольга Рябинина",
    agent: "tender-desk",
    locale: "ru" as const,
    instruction: "Ты помощник тендерного отдела. Каждый лот оцени отдельно, цены бери только у поставщиков.",
  };
  const scenes = Object.fromEntries(LOTS.map((lot, index) => [lot, sceneOf(index + 1, random)]));
  const { events } = new Story(about, now - 600_000)
    .user("Оцени лоты 1–3 тендера 0318: что можем поставить, по какой цене и к какому сроку?")
    .turn(
      (turn) =>
        turn
          .think(2_340, [1_612, 288], planOf(0))
          .playInstances(scenes)
          .think(1_480, [2_904, 141])
          .say("Все три лота можем поставить. По лоту 2 срок **на пределе**: поставщик обещает 28 дней из 30."),
      { input: Object.fromEntries(Object.entries(scenes).map(([lot, { input }]) => [lot, input])) },
    )
    .recordedUntil(now);
  return {
    total: events.length,
    events: events.map(posted),
    open: [
      { path: `/conversations/${id}`, shows: `delegates nested ${LEVELS.length} deep, in ${LOTS.length} instances` },
    ],
  };
}

/** The plan of a level: it reads, delegates to the next level, and sums up; the last one asks the supplier. */
function planOf(level: number): JsonObject[] {
  const next = LEVELS[level];
  const work: JsonObject = next
    ? {
        _tool: next,
        _id: "hand_on",
        _delegate: next,
        _scopes: ["state"],
        lot: "†state.found",
        _outputPath: "†state.answer",
      }
    : { _tool: "supplier.ask", _id: "ask", lot: "†state.found", _outputPath: "†state.answer" };
  return [
    { _tool: "tender.lot.get", _id: "get", lot: "†input.lot", _outputPath: "†state.found" },
    work,
    { _tool: "composeText", _id: "sum_up", about: "†state.answer && †state.found", _outputPath: "†state.text" },
  ];
}

function sceneOf(lot: number, random: Random): Scene {
  return { input: { lot }, outcomes: outcomesOf(0, lot, random) };
}

function outcomesOf(level: number, lot: number, random: Random): Record<string, Outcome> {
  const name = LEVELS[level];
  const answer = { price: random.between(180_000, 960_000), days: lot === 2 ? 28 : random.between(9, 21) };
  const text = `Лот ${lot}: ${answer.days} дней`;
  return {
    get: { ms: random.between(120, 480), output: { lot, position: `0318-${lot}`, quantity: random.between(4, 60) } },
    ...(name === undefined
      ? { ask: { ms: random.between(900, 3_200), output: answer } }
      : {
          hand_on: {
            ms: random.between(40, 90),
            output: answer,
            delegate: { name, plan: planOf(level + 1), outcomes: outcomesOf(level + 1, lot, random) },
          },
        }),
    sum_up: {
      ms: random.between(600, 1_400),
      model: { input: random.between(300, 700), output: random.between(40, 120) },
      output: text,
    },
  };
}

/** The server sets `recorded_at` itself. */
function posted({ recorded_at: _recorded, conversation_id, ...event }: NewEvent): SeedEvent {
  if (conversation_id === null) throw new Error("An event of a story has a conversation");
  return { ...event, conversation_id };
}
