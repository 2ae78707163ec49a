import { z } from "zod";
import { sentence } from "../../lib/session/issues.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";

const item = z.custom<JsonObject>((value) => isJson(value) && isJsonObject(value), "must be an object");

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** The fields of a Responses API request that are used; others are accepted and ignored. */
const responsesRequest = z.object({
  instructions: z
    .string()
    .nullish()
    .transform((text) => text ?? ""),
  input: z
    .union([z.string(), z.array(item)], "must be a text or a list of items")
    .transform((input) => (typeof input === "string" ? [{ role: "user", content: input }] : input)),
  tools: z.array(item).default([]),
  text: z
    .object({
      format: z.object({ type: z.string(), name: z.string().nullish(), schema: item.nullish() }).nullish(),
    })
    .nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
});

export type ResponsesRequest = z.infer<typeof responsesRequest>;

/** Parses a request's body; an error is reported as in the API, with its parameter. */
export function readRequest(
  body: Json,
): { ok: true; request: ResponsesRequest } | { ok: false; message: string; param: string | null } {
  const read = responsesRequest.safeParse(body, { error: sentence });
  if (read.success) return { ok: true, request: read.data };
  const [issue] = read.error.issues;
  const param = issue?.path.join(".") || null;
  return { ok: false, message: `${param ?? "The body"} ${issue?.message ?? "does not hold"}`, param };
}

/** JSON is requested with its own format, text is not. */
export function asksForJson({ text }: ResponsesRequest): boolean {
  return (text?.format?.type ?? "text") !== "text";
}

/** The schema of a judge's answer; null where nothing is judged. */
export function judgementIn({ text }: ResponsesRequest): JsonObject | null {
  return text?.format?.name === "judgement" ? (text.format.schema ?? null) : null;
}
