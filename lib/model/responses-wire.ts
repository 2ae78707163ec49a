import type { ModelRequest } from "../engine/model.ts";
import { AnswerReader } from "./answer-reader.ts";
import type { Wire } from "./wire.ts";

/** `POST /v1/responses`. */
export const responsesWire: Wire = {
  path: "/responses",
  keepsResponses: true,
  // The first event comes within seconds; a reasoning model may then be silent for minutes.
  patience: { beginning: 60_000, silence: 240_000 },
  body: bodyOf,
  reader: (asked) => new AnswerReader(asked),
};

function bodyOf({
  instructions,
  input,
  tools,
  format,
  previous_response_id,
  store,
}: ModelRequest): Record<string, unknown> {
  return {
    instructions,
    input,
    ...(tools.length > 0 ? { tools } : {}),
    ...(format ? { text: { format: { type: "json_schema", strict: true, ...format } } } : {}),
    ...(previous_response_id === null ? {} : { previous_response_id }),
    stream: true,
    store,
  };
}
