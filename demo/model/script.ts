import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../../lib/session/locale.ts";

export type InBoth<T> = Record<Locale, T>;

/** The scripted model's data, which the matcher reads. */
export interface Script {
  /** The first match wins. The last one matches everything. */
  scenarios: readonly Scenario[];
  /** Replies to failed calls; the first match wins. */
  troubles: readonly Failure[];
}

/** A scenario for messages with one of its phrases. */
export interface Scenario {
  name: string;
  /** Required text of the agent's instructions; any agent by default. */
  agent?: RegExp;
  /** Required tools besides those of its calls. */
  offered?: readonly string[];
  /** Required text of the agent's previous message, in either language; its named groups are values. */
  after?: InBoth<RegExp>;
  /** In the notation of `compilePhrase`. Without phrases it matches any message. */
  phrases?: InBoth<readonly string[]>;
  /** An example message; help lists it. */
  example?: InBoth<string>;
  /** Values from the agent's instructions, by group. */
  instructed?: Record<string, RegExp>;
  /** Values from tables, in order; it matches only when each is found. */
  lookups?: Record<string, Lookup>;
  /** Values besides captures. */
  values?: Record<string, Value>;
  /** Templates shared by its calls and texts. */
  texts?: Record<string, InBoth<string>>;
  /** The user's request, continuing `to …`; templates read it as `wish`. */
  wish?: InBoth<string>;
  /** Calls by iteration; several calls of one tool are distinguished by order. */
  steps?: readonly (readonly ScriptedCall[])[];
  /** The reply after success. */
  say: Words | JsonWords;
}

/** A JSON answer. Its strings are templates. */
export interface JsonWords {
  json: InBoth<JsonObject>;
}

/** A table entry, chosen by a text. */
export interface Lookup {
  /** The source of the text. */
  by: string;
  /** The table, or its path. The first entry whose `said` phrase matches is chosen; its strings are templates. */
  in: InBoth<readonly JsonObject[]> | string;
  /** The default entry. */
  otherwise?: JsonObject;
}

/** Further sources of a missing value. */
export interface Value {
  /** Other sources. */
  otherwise?: string;
  /** The question when it is missing; undefined when it is optional. */
  ask?: InBoth<string>;
}

/** A call of an offered tool. */
export interface ScriptedCall {
  tool: string;
  /** The name of its result in templates. */
  as?: string;
  /** Strings are templates; a single placeholder keeps the value's type. Missing values are left out. */
  params: JsonObject;
  /** Called also after a denied call; otherwise an unsuccessful call ends the scenario. */
  evenIfDenied?: true;
  /** Optional: left out without its tool, and its failure is ignored. */
  aside?: true;
}

/** How an unsuccessful call ended, from its result. */
export type CallEnd = "failed" | "skipped" | "denied" | "blocked" | "cancelled" | "superseded";

export interface Failure {
  end: CallEnd;
  /** Required text of the reason. */
  reason?: RegExp;
  say: Words;
}

/** Lines of Markdown, in the notation of `fillLine`. */
export type Words = InBoth<readonly Line[]>;

export type Line = string | Listing;

/**
 * A line per item of a list, or of an object's values. Its templates read the item's keys before the scope's (a plain
 * item is `it`), `total`, and in `more` the `rest`.
 */
export interface Listing {
  each: string;
  /** Required values of an item's keys. */
  where?: Record<string, Json>;
  /** The path of the total, when the list may be a part. */
  of?: string;
  line: string;
  /** Before them. */
  title?: string;
  /** After them, when some were left out. */
  more?: string;
  /** Used when there are none. */
  none?: string;
  /** How many are listed, first or last. */
  first?: number;
  last?: number;
}
