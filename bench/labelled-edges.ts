import { readdirSync, readFileSync } from "node:fs";
import { z } from "zod";
import type { SessionEvent } from "../lib/session/event.ts";
import type { EdgeSource, InferredEdge } from "../lib/session/find/inferred-edges.ts";
import type { Json } from "../lib/session/json/json.ts";

const json: z.ZodType<Json> = z.json();
const call = z.strictObject({
  id: z.string(),
  call: z.string(),
  /** How the tool's answer wraps `output`: in MCP's content, in its list of parts, or as the text of a JSON document. */
  wrap: z.enum(["mcp", "mcp-list", "json-text"]).optional(),
  input: z.record(z.string(), json),
  output: json,
  /** By input path: every place that the value was made of; `a | b`: either is right. */
  from: z.record(z.string(), z.array(z.string())).default({}),
});
const step = z.union([
  z.strictObject({ id: z.string(), user: z.string() }),
  z.strictObject({ id: z.string(), agent: z.string() }),
  z.strictObject({ parallel: z.array(call) }),
  call,
]);
const file = z.strictObject({ domain: z.string(), language: z.string(), sessions: z.array(z.array(step)) });

type LabelledCall = z.infer<typeof call>;
type Step = z.infer<typeof step>;

/** A session with the sources of its calls' inputs, labelled by hand. */
export interface LabelledSession {
  domain: string;
  language: string;
  /** The rules were not changed by what they did with it. */
  unseen: boolean;
  /** `domain-1`: the conversation's id. */
  id: string;
  events: readonly SessionEvent[];
  calls: readonly LabelledCall[];
}

/** How many of the found edges are right, and how many of the labelled ones are found. */
export interface EdgeScore {
  found: number;
  right: number;
  /** Labelled sources, and those that were found. */
  labelled: number;
  recalled: number;
  /** The same of values that came from a call, not from a message. */
  labelledCalls: number;
  recalledCalls: number;
}

const FOLDER = new URL("data/edges/", import.meta.url);
const AT = "2026-01-01T00:00:00.000Z";

/** All labelled sessions of `bench/data/edges`, by name. */
export function labelledSessions(): LabelledSession[] {
  return ["seen", "unseen"].flatMap((folder) => {
    const here = new URL(`${folder}/`, FOLDER);
    return readdirSync(here)
      .sort()
      .flatMap((name) => {
        const { domain, language, sessions } = file.parse(JSON.parse(readFileSync(new URL(name, here), "utf8")));
        return sessions.map((steps, index): LabelledSession => {
          const id = `${domain}-${index + 1}`;
          return {
            domain,
            language,
            unseen: folder === "unseen",
            id,
            events: eventsOf(id, steps),
            calls: callsOf(steps),
          };
        });
      });
  });
}

/** Compares the edges of a session with its labels. */
export function scoreOf({ id, calls }: LabelledSession, edges: readonly InferredEdge[]): EdgeScore {
  const score: EdgeScore = { found: 0, right: 0, labelled: 0, recalled: 0, labelledCalls: 0, recalledCalls: 0 };
  for (const reader of calls) {
    const found = edges.filter(({ to }) => to.call_id === reader.id);
    const labels = Object.entries(reader.from).flatMap(([path, sources]) =>
      sources.map((source) => ({ path, either: source.split(" | ") })),
    );
    score.found += found.length;
    score.right += found.filter((edge) => labels.some((label) => isEdge(edge, label, id, calls))).length;
    for (const label of labels) {
      const recalled = found.some((edge) => isEdge(edge, label, id, calls)) ? 1 : 0;
      score.labelled += 1;
      score.recalled += recalled;
      if (label.either.some((source) => source.startsWith("m"))) continue;
      score.labelledCalls += 1;
      score.recalledCalls += recalled;
    }
  }
  return score;
}

/** The edges as lines with a mark, and the labels that no edge meets: to read by eye. */
export function explained({ id, calls }: LabelledSession, edges: readonly InferredEdge[]): string[] {
  return calls.flatMap((reader) => {
    const found = edges.filter(({ to }) => to.call_id === reader.id);
    const labels = Object.entries(reader.from).flatMap(([path, sources]) =>
      sources.map((source) => ({ path, either: source.split(" | ") })),
    );
    return [
      ...found
        .filter((edge) => !labels.some((label) => isEdge(edge, label, id, calls)))
        .map(
          (edge) => `wrong   ${id} ${sourceOf(edge.from, id, calls)} -> ${reader.id} ${edge.to_path} (${edge.value})`,
        ),
      ...labels
        .filter((label) => !found.some((edge) => isEdge(edge, label, id, calls)))
        .map(({ path, either }) => `missing ${id} ${either.join(" | ")} -> ${reader.id} ${path}`),
    ];
  });
}

/** The sum of scores. */
export function sumOf(scores: readonly EdgeScore[]): EdgeScore {
  const sum: EdgeScore = { found: 0, right: 0, labelled: 0, recalled: 0, labelledCalls: 0, recalledCalls: 0 };
  for (const score of scores) {
    sum.found += score.found;
    sum.right += score.right;
    sum.labelled += score.labelled;
    sum.recalled += score.recalled;
    sum.labelledCalls += score.labelledCalls;
    sum.recalledCalls += score.recalledCalls;
  }
  return sum;
}

interface Label {
  path: string;
  either: readonly string[];
}

function isEdge({ from, to_path }: InferredEdge, { path, either }: Label, id: string, calls: readonly LabelledCall[]) {
  return to_path === pointerOf(path) && either.includes(sourceOf(from, id, calls));
}

/** A source as the labels write it: `c1:a.b[0]`, or `m1`. */
function sourceOf(from: EdgeSource, id: string, calls: readonly LabelledCall[]): string {
  if (from.kind === "message") return from.message_id.slice(id.length + 1);
  const wrap = calls.find((one) => one.id === from.call.call_id)?.wrap;
  const outside = wrap === "mcp" ? "/content/0/text" : wrap === "mcp-list" ? "/0/text" : "";
  const path = from.path.startsWith(outside) ? from.path.slice(outside.length) : from.path;
  const dotted = path.replace(/\/(\d+)(?=\/|$)/g, (all, digits: string) => (digits.length < 4 ? `[${digits}]` : all));
  const shown = dotted.replaceAll("/", ".").replace(/^\./, "");
  return shown === "" ? from.call.call_id : `${from.call.call_id}:${shown}`;
}

/** `a.b[0]` as a JSON Pointer. */
function pointerOf(path: string): string {
  return `/${path.replaceAll(/\[(\d+)\]/g, ".$1").replaceAll(".", "/")}`;
}

function callsOf(steps: readonly Step[]): LabelledCall[] {
  return steps.flatMap((one) => ("parallel" in one ? one.parallel : "call" in one ? [one] : []));
}

/** One run, in which a user's message ends what was before; parallel calls all start before the first answers. */
function eventsOf(conversation_id: string, steps: readonly Step[]): SessionEvent[] {
  const told: [type: string, payload: Json][] = [["run.started", {}]];
  for (const one of steps) {
    if ("user" in one || "agent" in one) {
      const [role, content] = "user" in one ? ["user", one.user] : ["assistant", one.agent];
      told.push(["message.created", { message_id: `${conversation_id}:${one.id}`, role, content }]);
      continue;
    }
    const together = "parallel" in one ? one.parallel : [one];
    for (const { id, call: tool, input } of together)
      told.push(["call.started", { call_id: id, tool, iteration: 1, params: input }]);
    for (const { id, call: tool, output, wrap } of together)
      told.push(["call.succeeded", { call_id: id, tool, iteration: 1, output: wrapped(output, wrap) }]);
  }
  return told.map(([type, payload], index) => ({
    ...{ id: `${conversation_id}:${index + 1}`, conversation_id, seq: index + 1, position: index + 1, type },
    ...{ actor: null, agent_id: null, run_id: "run", parent_run_id: null, caused_by: null, payload },
    ...{ occurred_at: AT, recorded_at: AT },
  }));
}

function wrapped(output: Json, wrap: LabelledCall["wrap"]): Json {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  if (wrap === undefined) return output;
  if (wrap === "json-text") return text;
  const parts = [{ type: "text", text }];
  return wrap === "mcp" ? { content: parts, isError: false } : parts;
}
