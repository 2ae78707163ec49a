import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../../lib/session/locale.ts";
import { lookUp } from "./lookups.ts";
import { capture, phraseOf } from "./phrases.ts";
import type { Scenario, Script, ScriptedCall, Words } from "./script.ts";
import { fillLine, fillParams, fillWords, type Scope, valueAt } from "./templates.ts";
import type { CallResult, Turn } from "./turn.ts";

/** The model's response: a text, or parallel function calls. */
export type Reply = { text: string } | { calls: { name: string; params: JsonObject }[] };

type Failed = Exclude<CallResult, { end: "succeeded" }>;

/** A scenario's call with its function and result. */
interface Played extends ScriptedCall {
  name: string;
  result: CallResult | null;
}

/** Finds the scenario of a turn and its next response. It is a pure function. */
export function reply(turn: Turn, script: Script, now: Date): Reply {
  const fitting = script.scenarios.filter((scenario) => fits(scenario, turn));
  const found = fitting.flatMap((scenario) => foundIn(scenario, turn, now));
  // Actions have priority over replies, as in "Hello, show deal 5"; then the earliest match wins, as in "create a task:
  // change the amount of deal 5".
  const [first] = found.filter(({ scenario }) => scenario.steps).sort((a, b) => a.at - b.at);
  const chosen = first ?? found[0];
  if (!chosen) throw new Error("The script has no scenario that fits everything");
  return play(chosen.scenario, turn, { ...chosen.values, examples: examplesOf(fitting, turn) }, script);
}

/** A tool's function name, without dots. */
function functionOf(tool: string): string {
  return tool.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}

function fits({ agent, offered = [], steps = [] }: Scenario, { instructions, functions }: Turn): boolean {
  const needed = [...offered, ...steps.flat().flatMap(({ tool, aside }) => (aside ? [] : [tool]))];
  return (agent?.test(instructions) ?? true) && needed.every((tool) => functions.has(functionOf(tool)));
}

function examplesOf(scenarios: readonly Scenario[], { locale }: Turn): Json {
  return scenarios.flatMap(({ example }) => (example ? [example[locale]] : []));
}

/** A matched scenario: the position of the match, and its values. */
interface Found {
  scenario: Scenario;
  at: number;
  values: JsonObject;
}

/** The scenario by its first matching phrase with all lookups; else none. */
function foundIn(scenario: Scenario, turn: Turn, now: Date): Found[] {
  const { message, locale } = turn;
  const told = toldBefore(scenario, turn);
  if (!told) return [];
  const phrases = scenario.phrases?.[locale].map((phrase) => capture(phraseOf(phrase), message, now));
  for (const captured of phrases ?? [{ at: 0, values: {} }]) {
    const values = captured && lookUp(scenario.lookups ?? {}, { ...told, ...captured.values, message }, turn);
    if (values) return [{ scenario, at: captured.at, values }];
  }
  return [];
}

/** Values of the instructions and of the previous message; null when that message does not match. */
function toldBefore({ after, instructed = {} }: Scenario, { before, instructions, locale }: Turn): JsonObject | null {
  const found = after && (after[locale].exec(before) ?? after[locale === "en" ? "ru" : "en"].exec(before));
  if (found === null) return null;
  const lines = Object.entries(instructed).flatMap(([name, line]): [string, string][] => {
    const text = line.exec(instructions)?.[1]?.trim();
    return text ? [[name, text]] : [];
  });
  return { ...Object.fromEntries(lines), ...found?.groups };
}

/** The next response of a scenario: a question, calls, or a text. */
function play(
  { values = {}, texts = {}, wish, steps = [], say }: Scenario,
  turn: Turn,
  captured: JsonObject,
  script: Script,
): Reply {
  const { locale, memory } = turn;
  const known: Record<string, Json> = { ...captured, memory };
  for (const [name, { otherwise, ask }] of Object.entries(values)) {
    const value = known[name] ?? (otherwise === undefined ? null : valueAt(known, otherwise)) ?? null;
    if (value === null && ask) return { text: ask[locale] };
    known[name] = value;
  }
  for (const [name, text] of Object.entries(texts)) known[name] = fillLine(text[locale], known, locale);
  if (wish) known.wish = fillLine(wish[locale], known, locale);

  const played = playedOf(steps, turn);
  const scope = { ...known, ...outputsOf(played.flat()) };
  const trouble = played.flat().flatMap(troubleOf).at(-1) ?? null;
  const open = played.map((step) => step.filter((call) => isOpen(call, trouble))).find((step) => step.length > 0);
  if (open) return { calls: open.map(({ name, params }) => ({ name, params: fillParams(params, scope, locale) })) };
  if (!trouble) return { text: textOf(say, scope, locale) };
  return { text: fillWords(wordsFor(trouble, script), { ...scope, reason: trouble.reason }, locale) };
}

function textOf(say: Scenario["say"], scope: Scope, locale: Locale): string {
  return "json" in say ? JSON.stringify(fillParams(say.json[locale], scope, locale)) : fillWords(say, scope, locale);
}

/** Still to be called. */
function isOpen({ result, evenIfDenied }: Played, trouble: Failed | null): boolean {
  return result === null && (trouble === null || (trouble.end === "denied" && evenIfDenied === true));
}

function wordsFor({ end, reason }: Failed, { troubles }: Script): Words {
  const told = troubles.find((trouble) => trouble.end === end && (trouble.reason?.test(reason ?? "") ?? true));
  if (!told) throw new Error(`The script does not tell what to say of a call that is ${end}`);
  return told.say;
}

/** The available calls with their results: results are assigned in order. */
function playedOf(steps: readonly (readonly ScriptedCall[])[], { functions, results }: Turn): Played[][] {
  const open = [...results];
  return steps.map((step) =>
    step.flatMap((call) => {
      const name = functionOf(call.tool);
      if (!functions.has(name)) return [];
      const at = open.findIndex((result) => result.name === name);
      const [result = null] = at < 0 ? [] : open.splice(at, 1);
      return [{ ...call, name, result }];
    }),
  );
}

function outputsOf(played: readonly Played[]): Scope {
  return Object.fromEntries(
    played.flatMap(({ as, result }) => (as !== undefined && result?.end === "succeeded" ? [[as, result.output]] : [])),
  );
}

function troubleOf({ aside, result }: Played): Failed[] {
  return aside || !result || result.end === "succeeded" ? [] : [result];
}
