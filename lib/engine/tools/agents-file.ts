import { readdir, readFile } from "node:fs/promises";
import type { z } from "zod";
import { pointerTo } from "../../plan/problem.ts";
import { sentence } from "../../session/issues.ts";
import { readJson } from "../../session/json/json-text.ts";

/** As deep as a body of the API may nest. */
const DEPTH = 64;

/** A file of the agents' folder does not hold; the message names it, and the place in it. */
export class AgentsFileError extends Error {
  constructor(path: string, fault: string, options?: ErrorOptions) {
    super(`${path}: ${fault}`, options);
    this.name = "AgentsFileError";
  }
}

/** The names of the JSON files in a folder, in order; no folder is an empty one. Throws `AgentsFileError`. */
export async function agentsFilesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw new AgentsFileError(folder, "the file cannot be read", { cause: error });
  }
}

/** Reads a JSON file against its schema; null when there is none. Throws `AgentsFileError` for the first place that does not hold. */
export async function readAgentsFile<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  const text = await textOf(path);
  if (text === null) return null;
  const read = readJson(text, DEPTH, "refused");
  if (!read.ok) {
    const line = read.flaw.line === null ? "" : ` (line ${read.flaw.line})`;
    throw new AgentsFileError(path, `${read.flaw.message}${line}`);
  }
  const result = schema.safeParse(read.value, { error: sentence });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new AgentsFileError(path, issue ? faultOf(issue) : "does not hold");
}

function faultOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys")
    return `${pointerTo([...issue.path, issue.keys[0] ?? ""])} is not a known field`;
  const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  return `${pointerTo(issue.path) || "it"} ${message ?? issue.message}`;
}

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new AgentsFileError(path, "the file cannot be read", { cause: error });
  }
}
