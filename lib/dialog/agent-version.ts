import { createHash } from "node:crypto";
import { type Json, sorted } from "../session/json/json.ts";
import type { Agent } from "./agent.ts";

/** The version of a definition: a digest of its content, whatever the order of its keys. */
export function versionOf(definition: Json): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(definition)))
    .digest("hex")
    .slice(0, LENGTH);
}

/** 64 bits: enough for the versions of one agent. */
const LENGTH = 16;

/** The version of an agent as it is registered, which its runs are recorded with. */
export function agentVersionOf({ id: _, version: __, source: ___, ...definition }: Agent): string {
  return versionOf(JSON.parse(JSON.stringify(definition)));
}
