import { type Context, createContext, Script } from "node:vm";
import { Ajv, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { localized } from "../plan/localized-text.ts";
import type { Path } from "../plan/reference.ts";
import type { SchemaChecker, SchemaFault } from "../plan/schema/schema-checker.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { countParts, countValue, hasKey, linearCost, MOST_PARTS } from "./schema-cost.ts";
import { compareAsJson } from "./schema-equality.ts";
import { inWords } from "./schema-words.ts";

/** A schema that is none: `message` says why. */
export class InvalidSchema extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "InvalidSchema";
  }
}

/** A schema made ready, or why it could not be. */
type Compiled =
  | {
      ok: true;
      /** Tells all faults, in time and memory that grow with their number. */
      all: ValidateFunction;
      /** Ends at the first one. */
      first(): ValidateFunction;
      /** What a part of a value costs at most; infinite where that is not known. */
      cost: number;
    }
  | { ok: false; refusal: string };

/** Compiled schemas that are kept: about 10 kB each, and far more than the tools of one server. */
const KEPT_SCHEMAS = 1_000;
/** More faults than this help nobody. */
const MOST_FAULTS = 20;
/** Faults of Ajv that are looked at: several may make one of ours. */
const MOST_ERRORS = 1_000;
/** All faults of a value of so many parts may be told, whatever its schema. */
const MOST_TOLD = 1_000;
/** Schema parts times value parts that are checked without a time limit, a few ms, and of which all faults are told. */
const MOST_FREE = 50_000;
/** Longest time for one check that may cost more, in ms: everybody waits for it. Honest ones take well under 10. */
const CHECK_LIMIT_MS = 75;
/** After as long no more of it is begun in one validation, in ms: what a client sends is checked as a whole. */
const VALIDATION_LIMIT_MS = 75;
/** Longest time for compiling a schema, in ms. One of `MOST_PARTS` takes a quarter of it. */
const COMPILE_LIMIT_MS = 2_000;

/**
 * What every schema is compiled with. Each one has a compiler of its own (half a millisecond), so that schemas of
 * different tools with the same `$id` are never taken for one another, and a `$ref` reaches nothing outside of its
 * schema: nothing is ever fetched.
 */
const OPTIONS = {
  // Schemas of strangers have keywords and formats of their own.
  strict: false,
  logger: false,
  allErrors: true,
  verbose: true,
  formats: { ...fullFormats, regex: isShortPattern },
  // `required` means own keys: no value has a `toString` (P8).
  ownProperties: true,
  validateSchema: false,
  meta: false,
  addUsedSchema: false,
  // Making its code shorter takes as long as making it.
  code: { optimize: false, regExp: Object.assign(tolerantPattern, { code: "tolerantPattern" }) },
} satisfies Options;

/**
 * Checks values with Ajv: JSON Schema 2020-12, or draft-07 where the schema says so by `$schema`, with formats.
 *
 * Schemas come from strangers, and a pattern such as `(a+)+$` can take for ever. Node has no regular expressions
 * without backtracking, so a check is priced: schema parts times value parts. What
 * is cheap runs at once and tells twenty faults; what is not, or has a keyword that can cost more than its price, runs under
 * a time limit, which V8 keeps even inside of a regular expression, and ends at the first fault. A check that is cut short
 * is a fault: what could not be checked does not fit. `validationLimit`: how long what is costly may take in one piece of work, ms.
 */
export function createSchemaChecker(validationLimit = VALIDATION_LIMIT_MS): SchemaChecker {
  const limited = createTimeLimit();
  const kept = new Map<JsonObject, Compiled>();

  /** Null when the time for compiling is spent. */
  function compiledOf(schema: JsonObject, limit: TimeLimit): Compiled | null {
    const compiled = kept.get(schema) ?? compile(schema, limit);
    if (compiled === null) return null;
    // Put at the end, so that the one used longest ago is the first to go.
    kept.delete(schema);
    kept.set(schema, compiled);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_SCHEMAS && oldest) kept.delete(oldest);
    return compiled;
  }

  const checkerWithin = (limit: TimeLimit): SchemaChecker => ({
    refusal(schema) {
      if (typeof schema === "boolean") return null;
      if (!isJsonObject(schema)) return "must be a JSON Schema: an object, true or false";
      const compiled = compiledOf(schema, limit);
      if (compiled === null) return SPENT.message;
      return compiled.ok ? null : compiled.refusal;
    },
    faults(schema, value, below = []) {
      if (schema === true) return [];
      if (schema === false) return [{ path: [], ...localized("not_allowed")`is not allowed` }];
      if (!isJsonObject(schema)) throw new InvalidSchema("A JSON Schema must be an object, true or false");
      const compiled = compiledOf(schema, limit);
      if (compiled === null) return [{ path: [], ...SPENT }];
      if (!compiled.ok) throw new InvalidSchema(`This is not a JSON Schema: it ${compiled.refusal}`);
      const { all, first, cost } = compiled;
      const most = MOST_FREE / cost;
      const isFree = cost < Number.POSITIVE_INFINITY && countValue(value, most) <= most;
      const faults = (validate: ValidateFunction) => () => faultsOf(validate, value).filter(isBelow(below));
      // What is wrong elsewhere must not hide what is wrong below.
      const found = unlessEndless(() =>
        isFree
          ? { is: "done" as const, result: faults(all)() }
          : limit(CHECK_LIMIT_MS, () => {
              const isSmall = below.length > 0 || countValue(value, MOST_TOLD) <= MOST_TOLD;
              return faults(isSmall ? all : first())();
            }),
      );
      return found.is === "done" ? found.result.slice(0, MOST_FAULTS) : [{ path: [], ...UNCHECKED[found.is] }];
    },
    bounded: () => checkerWithin(inAll(validationLimit, limited)),
  });
  return checkerWithin(limited);
}

function faultsOf(validate: ValidateFunction, value: Json): SchemaFault[] {
  if (validate(value)) return [];
  const found = (validate.errors ?? []).slice(0, MOST_ERRORS);
  // They hold the value that was checked.
  validate.errors = null;
  return inWords(found, value);
}

function isBelow(path: Path): (fault: SchemaFault) => boolean {
  return (fault) => path.every((segment, index) => String(fault.path[index]) === String(segment));
}

const SPENT = localized(
  "earlier_checks_slow",
)`could not be checked, because earlier schemas took too long; simplify their patterns`;
const UNCHECKED = {
  "too long": localized(
    "check_slow",
  )`could not be checked within ${CHECK_LIMIT_MS} ms; simplify the patterns of its schema`,
  spent: SPENT,
  endless: localized("schema_endless")`could not be checked, because its schema has a $ref that leads back to itself`,
};

/** A `$ref` that leads back to itself without going into the value calls itself until the stack is full. */
function unlessEndless<T>(work: () => T): T | { is: "endless" } {
  try {
    return work();
  } catch (error) {
    if (isOverflow(error)) return { is: "endless" };
    throw error;
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/** Work under a time limit: its result, or that its own time was up, or that there was none left to begin with. */
type Timed<T> = { is: "done"; result: T } | { is: "too long" } | { is: "spent" };

/** Runs work that may take this many ms. What is cut short may be begun again: it must change nothing. */
type TimeLimit = <T>(timeout: number, work: () => T) => Timed<T>;

/** Begins no more work once all of it has taken this many ms. What has begun has its own time, whoever comes before. */
function inAll(most: number, limited: TimeLimit): TimeLimit {
  let spent = 0;
  return (timeout, work) => {
    if (spent >= most) return { is: "spent" };
    const begin = ownTime();
    try {
      return limited(timeout, work);
    } finally {
      spent += ownTime() - begin;
    }
  };
}

/** What this thread has worked, ms: what a plan comes to is not to depend on what else the machine does. */
function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function createTimeLimit(): TimeLimit {
  const context = createContext({ work: undefined });
  const script = new Script("work()");
  return <T>(timeout: number, work: () => T): Timed<T> => {
    let timed: Timed<T> = { is: "too long" };
    context.work = () => {
      timed = { is: "done", result: work() };
    };
    try {
      // V8 counts the time that others had the processor, too: work that hardly had it is given longer.
      for (let longest = timeout; ; longest *= 2) {
        const begin = ownTime();
        if (endsWithin(script, context, longest) || ownTime() - begin > timeout / 2) return timed;
      }
    } finally {
      context.work = undefined;
    }
  };
}

function endsWithin(script: Script, context: Context, timeout: number): boolean {
  try {
    script.runInContext(context, { timeout });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  // The error is one of the script's own world, where Error is another one.
  return (
    typeof error === "object" && error !== null && "code" in error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}

/** Null when there is no time left for it. */
function compile(schema: JsonObject, limit: TimeLimit): Compiled | null {
  if (countParts(schema) > MOST_PARTS) return { ok: false, refusal: `must have at most ${MOST_PARTS} parts` };
  // Ajv's own keyword: a check that answers later counts as passed by whoever asks now.
  if (hasKey(schema, "$async")) return { ok: false, refusal: "must not use $async; remove it" };
  const isOld = typeof schema.$schema === "string" && /draft-0[4-7]/.test(schema.$schema);
  // Made at its first use, which is not this schema's to pay.
  const meta = metaSchema(isOld);
  try {
    const compiled = limit(COMPILE_LIMIT_MS, () => {
      const refusal = metaFault(schema, meta);
      return refusal === null ? newAjv(isOld, OPTIONS).compile(schema) : { refusal };
    });
    if (compiled.is === "spent") return null;
    if (compiled.is === "too long")
      return { ok: false, refusal: `could not be compiled within ${COMPILE_LIMIT_MS} ms; simplify it` };
    if ("refusal" in compiled.result) return { ok: false, refusal: compiled.result.refusal };
    const all = compiled.result;
    let first: ValidateFunction | null = null;
    return {
      ok: true,
      all,
      first: () => {
        first ??= newAjv(isOld, { ...OPTIONS, allErrors: false }).compile(schema);
        return first;
      },
      cost: linearCost(schema),
    };
  } catch (error) {
    if (isOverflow(error))
      return { ok: false, refusal: "has a $ref that leads back to itself; let it lead into a part of the value" };
    // Ajv throws for what cannot be compiled: an unknown $ref, a pattern that is none.
    if (error instanceof Error) return { ok: false, refusal: `cannot be used: ${error.message}` };
    throw error;
  }
}

function newAjv(isOld: boolean, options: Options): Ajv | Ajv2020 {
  return compareAsJson(new (isOld ? Ajv : Ajv2020)(options));
}

/** Values that are patterns are compiled to be checked; V8 cannot be stopped in the middle of that. */
const LONGEST_PATTERN = 1_000;

function isShortPattern(text: string): boolean {
  const { regex } = fullFormats;
  return text.length <= LONGEST_PATTERN && typeof regex === "function" && regex(text);
}

/** What the schema's own schema says against it. */
function metaFault(schema: JsonObject, validate: ValidateFunction): string | null {
  if (validate(schema)) return null;
  const [fault] = inWords(validate.errors ?? [], schema);
  const place = fault?.path.map((part) => `/${part}`).join("") ?? "";
  return place === "" ? (fault?.message ?? "is not valid") : `is not valid: ${place} ${fault?.message}`;
}

const metaSchemas = new Map<boolean, ValidateFunction>();

/** Compiling a meta-schema takes 30 ms, so it is done once and when it is needed. */
function metaSchema(isOld: boolean): ValidateFunction {
  const known = metaSchemas.get(isOld);
  if (known) return known;
  const id = isOld ? "http://json-schema.org/draft-07/schema" : "https://json-schema.org/draft/2020-12/schema";
  const validate = newAjv(isOld, { strict: false, logger: false, allErrors: true }).getSchema(id);
  if (!validate) throw new Error(`Ajv has no meta-schema ${id}`);
  metaSchemas.set(isOld, validate);
  return validate;
}

/** JSON Schema's patterns are Unicode ones; many that are about have needless escapes, which only the old kind takes. */
function tolerantPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch (error) {
    if (error instanceof SyntaxError) return new RegExp(pattern);
    throw error;
  }
}
