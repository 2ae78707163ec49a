import { z } from "zod";
import { PAYLOADS } from "../../session/events/catalogue.ts";
import type { Method, Operation } from "../operation.ts";

/** A field of a body, a query or a payload, for the API page. */
export interface Field {
  name: string;
  required: boolean;
  /** `string`, `integer`, `"user" | "assistant"`, `object`, `array of string` … */
  type: string;
  description: string | null;
}

/** An operation, for the API page. */
export interface OperationReference {
  name: string;
  method: Method;
  path: string;
  summary: string;
  parameters: (Field & { in: "path" | "query" | "header" })[];
  bodies: string[];
  answers: { status: string; description: string }[];
}

/** An event type with the fields of its payload. */
export interface PayloadReference {
  type: string;
  fields: Field[];
}

/** The operations for the API page (E10), generated from the schemas that validate requests. */
export function operationReferences(operations: readonly Operation[]): OperationReference[] {
  return operations.map(({ name, method, path, summary, params, query, headers = {}, body, answers }) => ({
    name,
    method,
    path,
    summary,
    parameters: [
      ...fieldsOf(params).map((field) => ({ ...field, required: true, in: "path" as const })),
      ...fieldsOf(query).map((field) => ({ ...field, in: "query" as const })),
      ...Object.entries(headers).map(([header, description]) => ({
        name: header,
        in: "header" as const,
        required: false,
        type: "string",
        description,
      })),
    ],
    bodies: Object.keys(body.content),
    answers: Object.entries(answers).map(([status, { description }]) => ({ status, description })),
  }));
}

/** The event types of the catalogue with their payloads (E2). */
export function payloadReferences(): PayloadReference[] {
  return Object.entries(PAYLOADS).map(([type, schema]) => ({ type, fields: fieldsOf(schema) }));
}

function fieldsOf(schema: z.ZodType): Field[] {
  if (!(schema instanceof z.ZodObject)) return [];
  const described = jsonSchema.parse(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const required = new Set(described.required);
  return Object.entries(described.properties ?? {}).map(([name, field]) => ({
    name,
    required: required.has(name),
    type: typeOf(field),
    description: field.description ?? null,
  }));
}

/** The part of JSON Schema that describes a type. */
interface Described {
  type?: string | undefined;
  const?: unknown;
  enum?: unknown[] | undefined;
  anyOf?: Described[] | undefined;
  oneOf?: Described[] | undefined;
  items?: Described | undefined;
  properties?: Record<string, Described> | undefined;
  required?: string[] | undefined;
  description?: string | undefined;
}

const jsonSchema: z.ZodType<Described> = z.lazy(() =>
  z.object({
    type: z.string().optional(),
    const: z.unknown().optional(),
    enum: z.array(z.unknown()).optional(),
    anyOf: z.array(jsonSchema).optional(),
    oneOf: z.array(jsonSchema).optional(),
    items: jsonSchema.optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    required: z.array(z.string()).optional(),
    description: z.string().optional(),
  }),
);

function typeOf(schema: Described): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(typeOf))].join(" | ");
  if (schema.type === "array") return `array of ${typeOf(schema.items ?? {})}`;
  return schema.type ?? "JSON";
}
