import { type AGUIEvent, EventType, omitOptionalNulls } from "@ag-ui/core";
import { EventSchemas } from "@ag-ui/core/schemas";
import { pointerTo } from "../../plan/problem.ts";
import { sentence } from "../../session/issues.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { AgUiFault } from "./fault.ts";

/** An AG-UI event, or one of a type that this version does not know. */
export type StreamEvent = { known: AGUIEvent; raw: JsonObject } | { known: null; type: string; raw: JsonObject };

const TYPES: ReadonlySet<string> = new Set(Object.values(EventType));

/** Validates an event with AG-UI's schemas. Throws `AgUiFault` with the line. */
export function readEvent(value: Json, place: number): StreamEvent {
  if (!isJsonObject(value) || typeof value.type !== "string")
    throw new AgUiFault('this is not an AG-UI event: it must be an object with a "type"', { place });
  if (!TYPES.has(value.type)) return { known: null, type: value.type, raw: value };
  // Some serializers write null for omitted fields.
  const parsed = EventSchemas.safeParse(omitOptionalNulls(value, "Event"), { error: sentence });
  if (parsed.success) return { known: parsed.data, raw: value };
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  const where = path.length > 0 ? `${path.join(".")} ` : "";
  throw new AgUiFault(`${value.type}: ${where}${issue?.message ?? "is not valid"}`, { place, path: pointerTo(path) });
}
