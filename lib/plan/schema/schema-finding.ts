import type { Json, JsonObject } from "../../session/json/json.ts";
import type { LocalizedText } from "../localized-text.ts";
import type { Path } from "../reference.ts";
import type { Form, TypeName } from "./schema-form.ts";
import type { Source } from "./schema-source.ts";

/**
 * Why a value will not fit a schema (`certain`), or why that is not known before it is there. The text follows the
 * value's name: "is a number, but must be a string".
 */
export interface Finding extends LocalizedText {
  certain: boolean;
  /** Within the value. */
  path: Path;
  /** The reference that reads the value; undefined for what the call itself says. */
  reference?: string;
}

/** One form of a value and the schema that it is compared with. */
export interface Comparing {
  form: Form;
  schema: JsonObject;
  /** The types that both allow. */
  types: readonly TypeName[];
  /** Compares a part with a schema of the same document. */
  compare(part: Source, schema: Json): Finding[];
}

/** A finding that holds whatever the value is. */
export function sure(text: LocalizedText, path: Path = []): Finding {
  return { certain: true, path, ...text };
}

/** A finding that may not hold. */
export function open(text: LocalizedText, path: Path = []): Finding {
  return { certain: false, path, ...text };
}

/** Findings of something that need not be there are not certain. */
export function unlessAbsent(findings: readonly Finding[], isThere: boolean): Finding[] {
  return isThere ? [...findings] : findings.map((finding) => ({ ...finding, certain: false }));
}

/** Findings of a part, placed in the whole. */
export function within(segment: string | number, findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ ...finding, path: [segment, ...finding.path] }));
}
