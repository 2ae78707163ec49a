import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import { isYes } from "../fields/field.ts";
import type { Call, Outcome } from "../method.ts";
import { param } from "../params.ts";
import { asArray, phpArray, readForm } from "../php-array.ts";
import { Refusal } from "../refusal.ts";
import { timeOf } from "../timing.ts";

/** Bitrix24's limit of commands per batch. */
const MAX_COMMANDS = 50;

/** `$result[deal][CONTACT_ID]` */
const REFERENCE = /\$result((?:\[[^\]]*\])+)/g;

/**
 * Runs commands `crm.deal.get?id=123` in order; each may refer to earlier results. A failed command changes nothing and
 * stops the others only with `halt`.
 */
export function runBatch(call: Call, perform: (method: string, call: Call) => Outcome): Outcome {
  const commands = Object.entries(asArray(param(call.params, "cmd")) ?? {});
  const halt = isYes(param(call.params, "halt"));
  const given = new Map<string, Outcome>();
  const errors = new Map<string, Json>();
  const times = new Map<string, Json>();
  for (const [index, [key, command]] of commands.entries()) {
    const started = performance.now();
    try {
      if (index >= MAX_COMMANDS) throw new Refusal(400, "ERROR_BATCH_LENGTH_EXCEEDED", "Max batch length exceeded");
      given.set(key, runCommand(String(command), given, call, perform));
      times.set(key, timeOf(started));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      errors.set(key, error.body());
      if (halt) break;
    }
  }
  return {
    result: {
      result: phpArray(pick(given, ({ result }) => result)),
      result_error: phpArray(errors),
      result_total: phpArray(pick(given, ({ total }) => total)),
      result_next: phpArray(pick(given, ({ next }) => next)),
      result_time: phpArray(times),
    },
  };
}

function runCommand(
  command: string,
  given: Map<string, Outcome>,
  call: Call,
  perform: (method: string, call: Call) => Outcome,
): Outcome {
  const [name = "", ...query] = command.split("?");
  const method = name.toLowerCase();
  if (method === "batch") {
    throw new Refusal(405, "ERROR_BATCH_METHOD_NOT_ALLOWED", "Method is not allowed for batch usage");
  }
  const params = readForm(query.join("?"));
  const resolved = Object.entries(params).map(([key, value]) => [key, resolve(value, given)] as const);
  return perform(method, { ...call, params: Object.fromEntries(resolved) });
}

/** Resolves references in a value; a string that is one reference becomes its value. */
function resolve(value: Json, given: Map<string, Outcome>): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, given));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item, given)]));
  }
  if (typeof value !== "string") return value;
  const [whole, path] = value.match(new RegExp(`^${REFERENCE.source}$`)) ?? [];
  if (whole !== undefined && path !== undefined) return lookUp(path, given);
  return value.replace(REFERENCE, (_, path: string) => {
    const found = lookUp(path, given);
    return found === null || typeof found === "object" ? "" : String(found);
  });
}

/** The value of `[deal][CONTACT_ID]`; null when there is none. */
function lookUp(path: string, given: Map<string, Outcome>): Json {
  const [key = "", ...names] = [...path.matchAll(/\[([^\]]*)\]/g)].map(([, name = ""]) => name);
  let value: Json = given.get(key)?.result ?? null;
  for (const name of names) {
    const array: JsonObject | null = asArray(value);
    value = (array && Object.hasOwn(array, name) ? array[name] : null) ?? null;
  }
  return value;
}

/** One field of each result that has it. */
function pick(given: Map<string, Outcome>, of: (outcome: Outcome) => Json | undefined): [string, Json][] {
  return [...given].flatMap(([key, outcome]) => {
    const value = of(outcome);
    return value === undefined ? [] : [[key, value] satisfies [string, Json]];
  });
}
