import type { Json, JsonObject } from "../../session/json.ts";
import type { Locale } from "../../session/locale.ts";

export type InBoth<T> = Record<Locale, T>;

/** All that the scripted model knows: data, which the matcher reads. */
export interface Script {
  /** The first that fits is played. The last one fits everything. */
  scenarios: readonly Scenario[];
  /** What is said of a call that did not succeed; the first that fits. */
  troubles: readonly Trouble[];
}

/** What is done and said when a user's message has one of its phrases. */
export interface Scenario {
  name: string;
  /** What an agent's instructions have to say for it; any agent without it. */
  agent?: RegExp;
  /** Tools that have to be offered, besides those of its calls. */
  offered?: readonly string[];
  /** In the notation of `compilePhrase`. Without phrases it fits any message. */
  phrases?: InBoth<readonly string[]>;
  /** What a person can say to try it; help lists it. */
  example?: InBoth<string>;
  /** Values besides those that the phrases capture. */
  values?: Record<string, Value>;
  /** What the user wants, as `to …` continues; templates read it as `wish`. */
  wish?: InBoth<string>;
  /** Calls, a list for each iteration; one tool's calls are told apart by their order. */
  steps?: readonly (readonly ScriptedCall[])[];
  /** What is said when they have succeeded. */
  say: Words;
}

/** A value that a scenario cannot do without. */
export interface Value {
  /** Where it is looked for when the message has none. */
  otherwise?: string;
  /** What is said when it is not found. */
  ask: InBoth<string>;
}

/** A call of a tool that the agent offers. */
export interface ScriptedCall {
  tool: string;
  /** What templates know its result by. */
  as?: string;
  /** Texts are templates; one that is a single place keeps that value's type. What is absent is left out. */
  params: JsonObject;
  /** Made also when a person denied an earlier call; else an earlier call without success is where it ends. */
  evenIfDenied?: true;
  /** Nothing hangs on it: left out where it is not offered, and its end is not told. */
  aside?: true;
}

/** How a call came to an end without success, as the results tell it. */
export type CallEnd = "failed" | "skipped" | "denied" | "blocked" | "cancelled" | "superseded";

export interface Trouble {
  end: CallEnd;
  /** What the reason has to say for it. */
  reason?: RegExp;
  say: Words;
}

/** Lines of Markdown, in the notation of `fillLine`. */
export type Words = InBoth<readonly Line[]>;

export type Line = string | Listing;

/**
 * A line for each item of a list, or of an object's values. Its templates read an item's own keys before the scope's (a
 * plain item is `it`), `total`, and in `more` the `rest` that is not.
 */
export interface Listing {
  each: string;
  /** What an item's keys have to be. */
  where?: Record<string, Json>;
  /** Where it stands how many there are in all, when the list may be a part. */
  of?: string;
  line: string;
  /** Said before them. */
  title?: string;
  /** Said after them, when not all were told. */
  more?: string;
  /** Said instead when there is none. */
  none?: string;
  /** How many are told, of the first or of the last. */
  first?: number;
  last?: number;
}
