import { z } from "zod";
import { pointerTo } from "../../plan/problem.ts";
import { sentence } from "../../session/issues.ts";
import type { Json } from "../../session/json/json.ts";
import { readJson } from "../../session/json/json-text.ts";

/** The maximum nesting: an object of texts, and what it is wrapped in. */
const DEPTH = 8;
/** The maximum length of an answer that is parsed: several times that of a configuration. */
const MOST_CHARACTERS = 40_000;
/** The maximum number of positions at which an object is searched for in the text. */
const MOST_STARTS = 20;

function text(most: number) {
  return z.string().trim().min(1, "must not be empty").max(most);
}

/** The configuration of a demonstration (D4): the user's kind of business, and the persona that speaks for it. */
export const configuration = z.object({
  niche: text(200),
  company_name: text(200),
  persona_instruction: text(4_000),
  welcome_message: text(2_000),
});
export type Configuration = z.infer<typeof configuration>;

const question = z.object({ question: text(2_000) });

/** The configuration from the setup agent, or an error for the model. */
export type SetupAnswer =
  | { kind: "configuration"; value: Configuration }
  | { kind: "question"; text: string }
  | { kind: "bad"; fault: string };

/**
 * Parses the setup agent's answer (D4): a JSON object alone, in a code fence, in prose, or as a JSON string. Other keys
 * are ignored.
 */
export function readSetupAnswer(answer: string | null): SetupAnswer {
  if (answer === null || answer.trim() === "") return { kind: "bad", fault: "it was empty" };
  if (answer.length > MOST_CHARACTERS) return { kind: "bad", fault: `it had more than ${MOST_CHARACTERS} characters` };
  const objects = objectsIn(answer);
  if (objects.length === 0) return { kind: "bad", fault: "it held no JSON object" };
  const answers = objects.map(readObject);
  return answers.find(({ kind }) => kind !== "bad") ?? answers[0] ?? { kind: "bad", fault: "it held no JSON object" };
}

function readObject(value: Json): SetupAnswer {
  const found = configuration.safeParse(value, { error: sentence });
  if (found.success) return { kind: "configuration", value: found.data };
  const asked = question.safeParse(value);
  if (asked.success) return { kind: "question", text: asked.data.question };
  return { kind: "bad", fault: found.error.issues.map(faultOf).join("; ") };
}

function faultOf({ path, message }: z.core.$ZodIssue): string {
  return `${pointerTo(path) || "it"} ${message}`;
}

/** The objects in an answer: it itself, or those in its text, in order. */
function objectsIn(answer: string): Json[] {
  const whole = readJson(answer, DEPTH, "as_written");
  if (whole.ok) return typeof whole.value === "string" ? textObjects(whole.value) : objectsOf(whole.value);
  return textObjects(answer);
}

function objectsOf(value: Json): Json[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
}

/** The objects in a text. */
function textObjects(text: string): Json[] {
  const objects: Json[] = [];
  let from = 0;
  for (let tries = 0; tries < MOST_STARTS; tries++) {
    const start = text.indexOf("{", from);
    if (start < 0) break;
    const end = endOfObject(text, start);
    const read = end === null ? null : readJson(text.slice(start, end), DEPTH, "as_written");
    if (read?.ok) objects.push(...objectsOf(read.value));
    from = read?.ok && end !== null ? end : start + 1;
  }
  return objects;
}

/** The index after the brace that closes the one at `start`, ignoring braces in strings; null if there is none. */
function endOfObject(text: string, start: number): number | null {
  let open = 0;
  let isInText = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isInText) {
      if (character === "\\") index++;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === "{") open++;
    else if (character === "}" && --open === 0) return index + 1;
  }
  return null;
}
