import { createHash } from "node:crypto";
import type { Json } from "../../session/json/json.ts";
import { sorted } from "../difference.ts";

/** The version of a definition: a digest of its content, whatever the order of its keys. */
export function versionOf(definition: Json): string {
  return createHash("sha256")
    .update(JSON.stringify(sorted(definition)))
    .digest("hex")
    .slice(0, LENGTH);
}

/** 64 bits: enough for the versions of one agent. */
const LENGTH = 16;
