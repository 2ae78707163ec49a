import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../../lib/session/locale.ts";

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
  /** What the agent's words before the message have to say, in either language; values by the names of its groups. */
  after?: InBoth<RegExp>;
  /** In the notation of `compilePhrase`. Without phrases it fits any message. */
  phrases?: InBoth<readonly string[]>;
  /** What a person can say to try it; help lists it. */
  example?: InBoth<string>;
  /** Values that the agent's instructions tell: the group of each. */
  instructed?: Record<string, RegExp>;
  /** Values from tables, one after another; it fits only when each is found. */
  lookups?: Record<string, Lookup>;
  /** Values besides those that the phrases capture. */
  values?: Record<string, Value>;
  /** Texts that its calls and words share, as templates. */
  texts?: Record<string, InBoth<string>>;
  /** What the user wants, as `to …` continues; templates read it as `wish`. */
  wish?: InBoth<string>;
  /** Calls, a list for each iteration; one tool's calls are told apart by their order. */
  steps?: readonly (readonly ScriptedCall[])[];
  /** What is said when they have succeeded. */
  say: Words | JsonWords;
}

/** An answer that a program reads. Its texts are templates. */
export interface JsonWords {
  json: InBoth<JsonObject>;
}

/** An entry of a table, chosen by what somebody has said. */
export interface Lookup {
  /** Where the words are. */
  by: string;
  /** The table, or where it is. The first entry is chosen whose `said`, a phrase, the words have; its texts are templates. */
  in: InBoth<readonly JsonObject[]> | string;
  /** What stands for an entry when the words have none. */
  otherwise?: JsonObject;
}

/** A value that is looked for further when the message has none. */
export interface Value {
  /** Where else it may be. */
  otherwise?: string;
  /** What is said when it is not found; nothing when the scenario can do without it. */
  ask?: InBoth<string>;
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
