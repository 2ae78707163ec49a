import { z } from "zod";
import { pointerTo } from "../plan/problem.ts";
import { sentence } from "../session/issues.ts";
import type { Json } from "../session/json/json.ts";
import { readJson } from "../session/json/json-text.ts";

/** As deep as what a model writes may nest here: an object of texts, and what it is wrapped in. */
const DEPTH = 8;
/** Characters of an answer that are read: several times what a configuration may have. */
const MOST_CHARACTERS = 40_000;
/** Places in an answer's prose at which an object is looked for. */
const MOST_STARTS = 20;

function text(most: number) {
  return z.string().trim().min(1, "must not be empty").max(most);
}

/** What a demonstration is played from (D4): the user's kind of business, and who speaks for it. */
export const configuration = z.object({
  niche: text(200),
  company_name: text(200),
  persona_instruction: text(4_000),
  welcome_message: text(2_000),
});
export type Configuration = z.infer<typeof configuration>;

const question = z.object({ question: text(2_000) });

/** What the demo's setup agent has found out. The fault is written for the model. */
export type SetupAnswer =
  | { kind: "configuration"; value: Configuration }
  | { kind: "question"; text: string }
  | { kind: "bad"; fault: string };

/**
 * Reads the setup agent's answer (D4): a JSON object by itself, within a code fence or prose, or as a JSON text. Keys that
 * it has beside are left out.
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

/** The objects that an answer holds: that which it is, or those that stand in it one after another. */
function objectsIn(answer: string): Json[] {
  const whole = readJson(answer, DEPTH, "as_written");
  if (whole.ok) return typeof whole.value === "string" ? textObjects(whole.value) : objectsOf(whole.value);
  return textObjects(answer);
}

function objectsOf(value: Json): Json[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? [value] : [];
}

/** The objects in a text, whatever stands around them. */
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

/** Behind the brace that closes the one at `start`; braces within texts do not count. Null where none does. */
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
