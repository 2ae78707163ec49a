import { z } from "zod";
import type { JsonObject } from "../session/json/json.ts";
import { memoryDocument } from "./document.ts";

const made = z.toJSONSchema(memoryDocument, {
  unrepresentable: "any",
  // Models read it, too: a time's pattern has 250 characters, and its format says as much.
  override: ({ jsonSchema }) => {
    if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
  },
});

/** The JSON Schema of a document, for plans that read it (`†memory.objects.current_deal_id`, M15) and for models. */
export const memorySchema: JsonObject = JSON.parse(JSON.stringify(made));
