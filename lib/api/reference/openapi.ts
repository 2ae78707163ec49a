import { z } from "zod";
import { agentDefinition } from "../../dialog/agent.ts";
import { yielding } from "../../event-loop/yielding.ts";
import { memoryDocument } from "../../memory/document.ts";
import { PAYLOADS } from "../../session/events/catalogue.ts";
import type { JsonObject } from "../../session/json/json.ts";
import {
  agentStateEntry,
  agentStateVersion,
  appendedEvents,
  confirmation,
  conversation,
  listedAlert,
  listedConfirmation,
  memoryEntry,
  message,
  problem,
  refusal,
  sessionEvent,
} from "../answers/answers.ts";
import { planProblem, simulation, validation } from "../answers/plan-answers.ts";
import { timelineColumns, view } from "../answers/session-answers.ts";
import type { Answer, Operation } from "../operation.ts";
import { auditEntry } from "../operations/access/audit.ts";
import { apiKey } from "../operations/access/keys.ts";
import { user } from "../operations/access/users.ts";
import { erasure } from "../operations/conversations/erasures.ts";
import { messageInput } from "../operations/conversations/post-messages.ts";
import { eventInput } from "../operations/post-events.ts";
import { agentAnswer } from "../operations/state/agents.ts";

/** Schemas that the document defines once and references. */
const names = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  Agent: agentAnswer,
  AgentDefinition: agentDefinition,
  AgentStateEntry: agentStateEntry,
  AgentStateVersion: agentStateVersion,
  ApiKey: apiKey,
  AppendedEvents: appendedEvents,
  AuditEntry: auditEntry,
  Erasure: erasure,
  Confirmation: confirmation,
  Conversation: conversation,
  Event: sessionEvent,
  EventInput: eventInput,
  ListedAlert: listedAlert,
  ListedConfirmation: listedConfirmation,
  Memory: memoryDocument,
  MemoryEntry: memoryEntry,
  Message: message,
  MessageInput: messageInput,
  PlanProblem: planProblem,
  Problem: problem,
  Simulation: simulation,
  Timeline: timelineColumns,
  User: user,
  Validation: validation,
  View: view,
})) {
  names.add(schema, { id });
}

/** An OpenAPI 3.1 document of operations, generated from the schemas that validate requests (E10). */
export async function openApiDocument(operations: readonly Operation[]): Promise<JsonObject> {
  const schemas: Record<string, JsonObject> = {};
  const paths: Record<string, JsonObject> = {};
  for await (const operation of yielding(operations)) {
    const method = operation.method.toLowerCase();
    paths[operation.path] = { ...paths[operation.path], [method]: describe(operation, schemas) };
  }
  for await (const [type, schema] of yielding(Object.entries(PAYLOADS)))
    schemas[payloadName(type)] = jsonSchema(schema, "input", schemas);
  for (const name of ["Event", "EventInput"]) Object.assign(schemas[name] ?? {}, { allOf: payloadsByType() });
  return {
    openapi: "3.1.0",
    info: {
      title: "Obelus",
      version: "1",
      description:
        "Records what agents do and serves the recordings. Errors are problem details (RFC 9457); times are ISO 8601 in UTC.",
    },
    paths,
    components: { schemas, securitySchemes: SECURITY_SCHEMES },
  };
}

/** The authentication schemes. */
const SECURITY_SCHEMES = {
  key: {
    type: "http",
    scheme: "bearer",
    description: "An API key, such as `obl_…`, with the required scope.",
  },
  cookie: {
    type: "apiKey",
    in: "cookie",
    name: "obelus-sign-in",
    description:
      "A signed-in person; behind TLS its name begins with `__Host-`. Requests that change something must come from a page of this server.",
  },
};

function describe(operation: Operation, schemas: Record<string, JsonObject>): JsonObject {
  const content = Object.entries(operation.body.content).map(([type, schema]) => [
    type,
    schema ? { schema: jsonSchema(schema, "input", schemas) } : {},
  ]);
  const answers = { ...refusalsOf(operation), ...operation.answers };
  const responses = Object.entries(answers).map(([status, answer]) => [status, response(answer, schemas)]);
  const error = refusal("What is wrong, and how to fix it.");
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(operation.permission === "public"
      ? { security: [] }
      : { security: [{ key: [] }, { cookie: [] }], "x-permission": operation.permission }),
    parameters: [
      ...parameters("path", operation.params, schemas),
      ...parameters("query", operation.query, schemas),
      ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
        name,
        in: "header",
        description,
        schema: { type: "string" },
      })),
    ],
    ...(content.length > 0 && {
      requestBody: { required: !operation.body.optional, content: Object.fromEntries(content) },
    }),
    responses: { ...Object.fromEntries(responses), default: response(error, schemas) },
  };
}

/** Responses of authentication and rate limiting, common to all operations. */
function refusalsOf({ permission }: Operation): Record<number, Answer> {
  const tooMany = { 429: refusal("Too many requests; `Retry-After` says how long to wait.") };
  if (permission === "public") return tooMany;
  return {
    401: refusal("Not authenticated, or the key is invalid."),
    403: refusal(`The caller's role or scopes do not include \`${permission}\`.`),
    ...tooMany,
  };
}

function response(
  { description, type = "application/json", schema }: Answer,
  schemas: Record<string, JsonObject>,
): JsonObject {
  if (!schema) return { description };
  return { description, content: { [type]: { schema: jsonSchema(schema, "input", schemas) } } };
}

function parameters(place: "path" | "query", schema: z.ZodType, schemas: Record<string, JsonObject>): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) throw new Error("Parameters are described by an object's schema");
  return Object.entries(schema.shape).map(([name, field]) => {
    if (!(field instanceof z.ZodType)) throw new Error(`The parameter ${name} has no schema`);
    // The text of a number is documented by its parsed type; a time stays as text.
    const output = jsonSchema(field, "output", schemas);
    return {
      name,
      in: place,
      required: place === "path",
      ...(field.description !== undefined && { description: field.description }),
      schema: Object.keys(output).length > 0 ? output : jsonSchema(field, "input", schemas),
    };
  });
}

/** The JSON Schema of a Zod schema; registered schemas in it are added to `schemas` and referenced. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", schemas: Record<string, JsonObject>): JsonObject {
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, metadata: names, unrepresentable: "any" });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $defs = {}, ...plain } = JSON.parse(text);
  Object.assign(schemas, $defs);
  return plain;
}

function payloadName(type: string): string {
  return `Payload_${type}`;
}

function payloadsByType(): JsonObject[] {
  return Object.keys(PAYLOADS).map((type) => ({
    if: { properties: { type: { const: type } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
    then: { properties: { payload: { $ref: `#/components/schemas/${payloadName(type)}` } } },
  }));
}
