import { type PlanCall, readCall } from "../../plan/call.ts";
import { parseOutputPath } from "../../plan/output-path.ts";
import { parseReference } from "../../plan/reference.ts";
import { isJsonObject } from "../json/json.ts";
import type { Call } from "../session.ts";

/**
 * A recorded call with the state paths that its agent says it reads and writes (E15). Its parameters are values, so
 * references in them are not parsed.
 */
export function recordedCall({ id, tool, instance, params, output_path, reads }: Call): PlanCall {
  const bare = readCall({ _id: id, _tool: tool, _instance: instance }, id);
  const output = output_path === null ? null : parseOutputPath(asState(output_path));
  const written = output?.ok ? output.value : null;
  return {
    ...bare,
    parameters: isJsonObject(params) ? params : {},
    outputPath: written,
    output: written,
    reads: reads.flatMap((path) => {
      const reference = parseReference(asState(path));
      return reference.ok ? [{ parameter: [], expression: [[reference.value]] }] : [];
    }),
  };
}

/** Agents may omit the † of a state path. */
function asState(path: string): string {
  return path.startsWith("†") ? path : `†state.${path}`;
}
