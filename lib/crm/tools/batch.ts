import { type Activity, ActivityError } from "../../engine/tools/activity.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { readItems } from "../client/answer.ts";
import { type BatchAnswer, type BitrixClient, type Command, MOST_COMMANDS, type Refusal } from "../client.ts";
import { type CrmMethod, paramsFault, wireName, wireParams } from "./method.ts";
import { listResult, toolResult } from "./result.ts";

const BY_NAME = { type: "object", propertyNames: { pattern: "^[A-Za-z_][A-Za-z0-9_]*$" } };

/** The tool that calls several methods in one request. */
export function batchMethod(methods: readonly CrmMethod[]): CrmMethod {
  const command = {
    type: "object",
    properties: {
      method: { type: "string", enum: methods.map(({ name }) => name) },
      params: { type: "object", description: "The parameters of the method" },
    },
    required: ["method"],
    additionalProperties: false,
  };
  return {
    name: "batch",
    description: `Carries out up to ${MOST_COMMANDS} methods by one request, in order: {"cmd": {"deal": {"method": "crm.deal.get", "params": {"id": 1}}}}. A parameter may hold an earlier result: "$result[deal][COMPANY_ID]". Gives the result of each by its name, and the errors of those that failed.`,
    effect: "change",
    parameters: {
      halt: { type: "boolean", description: "The first error ends it; otherwise the others go on" },
      cmd: {
        ...BY_NAME,
        description: "The commands by names of your own, made of letters, digits and _",
        additionalProperties: command,
        minProperties: 1,
        maxProperties: MOST_COMMANDS,
      },
    },
    required: ["cmd"],
    output: {
      type: "object",
      properties: {
        result: { type: "object" },
        result_error: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: { error: { type: "string" }, error_description: { type: "string" } },
            required: ["error", "error_description"],
          },
        },
      },
      required: ["result", "result_error"],
    },
  };
}

/** A command of a batch with its method. */
export interface NamedCommand {
  name: string;
  method: CrmMethod;
  params: JsonObject;
}

/** The commands in a batch's parameters. Throws an `ActivityError` for the first invalid one. */
export function commandsIn(params: JsonObject, methods: ReadonlyMap<string, CrmMethod>): NamedCommand[] {
  const commands = isJsonObject(params.cmd) ? params.cmd : {};
  return Object.entries(commands).map(([name, command]) => {
    const given = isJsonObject(command) ? command : {};
    const method = methods.get(String(given.method));
    if (!method) throw invalid(name, `names the method ${String(given.method)}, which batches do not take`);
    const own = isJsonObject(given.params) ? given.params : {};
    const fault = paramsFault(method, own);
    if (fault !== null) throw invalid(name, `cannot be carried out: ${method.name} ${fault}`);
    return { name, method, params: own };
  });
}

function invalid(name: string, fault: string): ActivityError {
  return new ActivityError("invalid_command", `The command ${name} ${fault}`, {
    did_not_happen: true,
    transient: false,
  });
}

/** The commands in the client's format. */
export function sendable(commands: readonly NamedCommand[]): Record<string, Command> {
  return Object.fromEntries(
    commands.map(({ name, method, params }) => [
      name,
      { method: wireName(method), params: wireParams(method, params) },
    ]),
  );
}

/** Executes a batch. Commands that fail are in `result_error`; the batch itself succeeds. */
export function batchActivity(client: BitrixClient, methods: ReadonlyMap<string, CrmMethod>): Activity {
  return async (params, _scopes, { signal }) => {
    const commands = commandsIn(params, methods);
    const answer = await client.batch(sendable(commands), { halt: params.halt === true, signal });
    return batchResult(commands, answer);
  };
}

/** Each result as returned by the method's own tool. */
function batchResult(commands: readonly NamedCommand[], answer: BatchAnswer): JsonObject {
  const result: [string, Json][] = [];
  const errors: [string, JsonObject][] = Object.entries(answer.result_error).map(([name, error]) => [
    name,
    told(error),
  ]);
  for (const command of commands) {
    // A name may be that of an inherited property.
    const given = Object.hasOwn(answer.result, command.name) ? answer.result[command.name] : undefined;
    if (given === undefined) continue;
    try {
      result.push([command.name, resultOf(command, given, answer)]);
    } catch (error) {
      if (!(error instanceof ActivityError)) throw error;
      errors.push([command.name, told({ error: error.code, error_description: error.message })]);
    }
  }
  return { result: Object.fromEntries(result), result_error: Object.fromEntries(errors) };
}

function resultOf({ name, method }: NamedCommand, given: Json, answer: BatchAnswer): Json {
  if (!method.list) return toolResult(method, given);
  const items = readItems(given);
  if (items === null) throw new ActivityError("invalid_answer", `The portal's answer to ${method.name} is not a list`);
  return listResult({ items, total: countIn(answer.result_total, name), next: countIn(answer.result_next, name) });
}

function countIn(counts: Record<string, number>, name: string): number | null {
  return Object.hasOwn(counts, name) ? (counts[name] ?? null) : null;
}

function told({ error, error_description }: Refusal): JsonObject {
  return { error, error_description };
}
