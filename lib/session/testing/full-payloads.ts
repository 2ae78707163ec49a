import { z } from "zod";
import { PAYLOADS } from "../events/catalogue.ts";
import type { EventType } from "../events/kinds.ts";
import type { Json } from "../json/json.ts";

/** A payload with all fields of its type's schema; strings begin with `text`, followed by the field's name. */
export function fullPayload(type: EventType, text: string): Json {
  return JSON.parse(JSON.stringify(sample(PAYLOADS[type], { name: type, text })));
}

interface Place {
  name: string;
  text: string;
}

function sample(schema: z.core.$ZodType, place: Place): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return sample(schema.unwrap(), place);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape).map(([name, field]) => [name, sample(field, { ...place, name })]);
    const rest = schema.def.catchall instanceof z.ZodNever || !schema.def.catchall ? {} : { more: place.text };
    return { ...Object.fromEntries(fields), ...rest };
  }
  if (schema instanceof z.ZodArray) return [sample(schema.element, place)];
  if (schema instanceof z.ZodUnion) {
    const [first] = schema.options;
    if (!first) throw new Error(`${place.name} has no form`);
    return sample(first, place);
  }
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodNumber) return 1;
  if (schema instanceof z.ZodString) return place.name === "path" ? `/${place.text}` : place.text;
  // Records and any JSON.
  return { [place.text]: [place.text] };
}
