import type { JsonObject } from "../../session/json/json.ts";
import type { KnownOutput } from "../../session/session.ts";
import { callIds, type PlanCall, readCalls, withId, withKnown } from "../call.ts";
import { uniqueCalls } from "../graph.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import type { Target } from "../output-path.ts";
import { overlaps } from "../overlap.ts";
import { type PlanProblem, pointerTo } from "../problem.ts";
import { type Path, printPath, printReference } from "../reference.ts";
import type { SchemaChecker } from "../schema/schema-checker.ts";
import { effectiveCall, metaFaults, outputSchema, rootKeys } from "../schema/tool-schema.ts";
import type { DelegateShape, Tool, Toolbox } from "../tool.ts";

/** A call with the tool and the delegate that it names. */
export interface KnownCall {
  /** Its output path names all that is known (P9, P27). */
  call: PlanCall;
  /** How many targets its delegate writes back: the last ones of the first alternative. */
  back: number;
  tool: Tool | undefined;
  /** Undefined for none, `anonymous`, and one that does not exist. */
  delegate: DelegateShape | undefined;
}

export interface ReadPlan {
  /** Each id once. */
  calls: KnownCall[];
  /** Effective calls with `_id` filled in. */
  plan: JsonObject[];
  outputs: KnownOutput[];
  problems: PlanProblem[];
}

/** Reads a plan's calls with what their tools prescribe (P2), and reports what is wrong with each by itself. */
export function readPlan(plan: readonly JsonObject[], toolbox: Toolbox, checker: SchemaChecker): ReadPlan {
  const effective = plan.map((call) => effectiveCall(call, toolOf(call, toolbox)));
  const ids = callIds(effective);
  const read = readCalls(effective);
  const calls = uniqueCalls(read).map((call) => knownCall(call, toolbox));
  const problems = [
    ...read.flatMap((call, index) => problemsOf(call, effective[index] ?? {}, toolbox, checker)),
    ...calls.flatMap(insideProblems),
  ];
  return {
    calls,
    plan: effective.map((call, index) => withId(call, ids[index] ?? "")),
    outputs: calls.flatMap(({ output }) => output ?? []),
    problems,
  };
}

function toolOf(call: JsonObject, toolbox: Toolbox): Tool | undefined {
  return typeof call._tool === "string" ? toolbox.tool(call._tool) : undefined;
}

/** A call with its tool and delegate, and what they know of its writes; `output` is null when that is nothing. */
export function knownCall(call: PlanCall, toolbox: Toolbox): KnownCall & { output: KnownOutput | null } {
  const tool = toolbox.tool(call.tool);
  const delegate = call.delegate === null ? undefined : toolbox.delegate(call.delegate);
  const keys = tool && writesWhole(call) ? rootKeys(tool) : [];
  const writes = call.scopes.includes("state") ? (delegate?.writes ?? []) : [];
  if (keys.length === 0 && writes.length === 0) return { call, back: 0, tool, delegate, output: null };
  const output: KnownOutput = {
    call_id: call.id,
    ...(keys.length > 0 && { keys }),
    ...(writes.length > 0 && { writes }),
  };
  const back = withKnown(null, { call_id: call.id, writes })?.[0]?.length ?? 0;
  return { call: { ...call, output: withKnown(call.output, output) }, back, tool, delegate, output };
}

function problemsOf(call: PlanCall, raw: JsonObject, toolbox: Toolbox, checker: SchemaChecker): PlanProblem[] {
  const error = (code: PlanProblem["code"], path: Path, text: LocalizedText): PlanProblem => ({
    code,
    severity: "error",
    call: call.id,
    path: pointerTo(path),
    ...text,
  });
  const tool = toolbox.tool(call.tool);
  return [
    ...call.problems.map(({ code, path, ...problem }) => error(code, path, sentence(call.id, path, problem))),
    ...(tool || call.tool === ""
      ? []
      : [
          error(
            "unknown_tool",
            ["_tool"],
            localized(
              "unknown_tool",
            )`There is no tool ${call.tool}; name one that exists, or send its definition in tools`,
          ),
        ]),
    ...(tool ? metaFaults(raw, tool, checker) : []).map(({ path, ...fault }) =>
      error(
        "invalid_params",
        path,
        localized("invalid_meta")`${path[0] ?? ""} of ${call.id} ${fault}, as the tool ${call.tool} requires`,
      ),
    ),
    ...rootProblems(call, tool).map((text) => error("outside_schema", ["_outputPath"], text)),
  ];
}

/** What the grammar says of a text begins with a small letter and does not say where the text stands. */
function sentence(id: string, path: Path, text: LocalizedText): LocalizedText {
  const { message } = text;
  const isSentence = message.charAt(0) !== message.charAt(0).toLowerCase() || message.startsWith("_");
  return isSentence
    ? text
    : localized("unreadable")`${printPath(path).replace(/^\./, "")} of ${id} cannot be read: ${text}`;
}

/** What its tool and its delegate add to an output path may lie inside of a call's own targets, or around them (P11). */
function insideProblems({ call, back }: KnownCall): PlanProblem[] {
  return (call.output ?? []).flatMap((fanOut, alternative): PlanProblem[] => {
    if (fanOut.length === 1) return [];
    const own = (call.outputPath?.[alternative] ?? []).filter(({ path }) => path.length > 0);
    const backs = alternative === 0 ? fanOut.slice(fanOut.length - back) : [];
    const isOther = (a: Target, b: Target) => a !== b && !(backs.includes(a) && backs.includes(b));
    const [clash] = [...own, ...backs].flatMap((target) => {
      const other = fanOut.find((each) => isOther(each, target) && overlaps(each, target));
      return other ? [[target, other] as const] : [];
    });
    if (!clash) return [];
    const [first = "", second = ""] = clash.map(printReference);
    const isBack = clash.some((target) => backs.includes(target));
    const text = isBack
      ? localized(
          "overlapping_write_back",
        )`${call.id} cannot write both ${first} and ${second}, which its delegate ${call.delegate ?? ""} writes back, because one contains the other; write the result to another path`
      : localized(
          "overlapping_write",
        )`${call.id} cannot write one result to both ${first} and ${second}, because one contains the other; write to one of them`;
    return [{ code: "write_conflict", severity: "error", call: call.id, path: "/_outputPath", ...text }];
  });
}

/** Whether a call writes `†state` alone (P9). */
export function writesWhole({ outputPath }: PlanCall): boolean {
  return outputPath?.some((fanOut) => fanOut.some(({ path }) => path.length === 0)) ?? false;
}

/** `†state` alone needs a tool that declares its keys (P9). */
function rootProblems(call: PlanCall, tool: Tool | undefined): LocalizedText[] {
  if (!tool || !writesWhole(call) || rootKeys(tool).length > 0) return [];
  const lacking =
    outputSchema(tool) === undefined
      ? localized("no_output_schema")`it has no _output`
      : localized("no_output_properties")`its _output has no properties`;
  return [
    localized(
      "keys_not_declared",
    )`${call.id} writes the whole †state, so the tool ${tool.name} must declare the keys of its result, but ${lacking}; declare them, or write to a path such as †state.${tool.name.replace(/[^\p{L}\p{Nd}_-]/gu, "_")}`,
  ];
}
