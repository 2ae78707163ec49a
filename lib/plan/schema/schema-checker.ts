import type { Json } from "../../session/json/json.ts";
import type { LocalizedText } from "../localized-text.ts";
import type { Path } from "../reference.ts";

/** Where a value breaks a schema, and how, in words that follow the field's name: "must be a number". */
export interface SchemaFault extends LocalizedText {
  path: Path;
}

/**
 * Checks values against JSON Schemas. A port: the implementation compiles schemas, which pure modules may not.
 * A JSON Schema is an object, or `true` or `false`.
 */
export interface SchemaChecker {
  /**
   * What breaks the schema; empty when the value fits. `below`: only what is wrong at this path and below it counts.
   * Throws `InvalidSchema` when the schema itself is none.
   */
  faults(schema: Json, value: Json, below?: Path): SchemaFault[];
  /** Why this is not a JSON Schema; null when it is one. */
  refusal(schema: Json): string | null;
  /** The same checker for one piece of work: what its costly schemas take is bounded together, and the rest a fault. */
  bounded(): SchemaChecker;
}
