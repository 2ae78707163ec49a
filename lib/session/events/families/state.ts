import { parsePath } from "../../../plan/output-path.ts";
import { setKey, writeValue } from "../../../plan/state.ts";
import { dialogAgent } from "../../dialog-agent.ts";
import type { EventOf } from "../../event.ts";
import { cite } from "../../json/cite.ts";
import type { JsonObject } from "../../json/json.ts";
import { patched } from "../../json/patch.ts";
import { DIALOG_AGENTS, MEMORY_AGENTS, OBELUS_AGENTS } from "../../json/reserved-names.ts";
import type { Folding } from "../../reducer/folding.ts";
import type { Run, Write } from "../../session.ts";
import { type Authority, type AuthorizedEvent, callColumns, type Family, PLACE, RECORDED } from "./family.ts";
import { meetInstance } from "./plan.ts";

/** State: of runs, users' memories, and agents. None of these causes anything in a run. */
export const STATE_EVENTS = {
  // Only in the session's view, like `memory.updated`: stored state changes by `agent_state.*`.
  "state.written": {
    ...RECORDED,
    steers: true,
    authority: "ingest",
    structure: { ...PLACE, path: { put: "†state.erased" }, value: { put: null } },
    columns: callColumns,
    fold: foldState,
    causes: false,
  },
  "memory.updated": {
    ...RECORDED,
    steers: true,
    authority: "ingest",
    structure: { delta: { put: [] }, version: "kept" },
    fold: foldMemory,
    causes: false,
  },
  "selfcheck.warned": {
    ...RECORDED,
    steers: true,
    authority: "ingest",
    structure: { warnings: { put: [] } },
    fold(folding, event) {
      for (const warning of event.payload.warnings) folding.warn(event, "self_check", warning);
    },
    causes: false,
  },
  "agent_state.written": {
    ...RECORDED,
    authority: stateAuthority,
    structure: { agent_id: "agent", key: "key", version: "kept", value: { put: null } },
    causes: false,
  },
  "agent_state.deleted": {
    ...RECORDED,
    authority: stateAuthority,
    structure: { agent_id: "agent", key: "key", version: "kept" },
  },
} as const satisfies Family<
  "state.written" | "memory.updated" | "selfcheck.warned" | "agent_state.written" | "agent_state.deleted"
>;

/** Programs may not write agent state of Obelus itself: memories of users, stages of dialogs, definitions. */
function stateAuthority({ agent_id }: JsonObject, { conversation_id }: AuthorizedEvent): Authority {
  if (typeof agent_id !== "string") return "ingest";
  // A conversation's own dialog, as in an export.
  if (conversation_id !== null && agent_id === dialogAgent(conversation_id)) return "decide";
  return [MEMORY_AGENTS, DIALOG_AGENTS, OBELUS_AGENTS].some((kind) => agent_id.startsWith(kind)) ? "operate" : "ingest";
}

/** A write to a path of the run's state (P9), with its author. */
function foldState(folding: Folding, event: EventOf<"state.written">): void {
  const { path, value, instance = "", call_id, iteration } = event.payload;
  const target = parsePath(path);
  if (!target.ok)
    return folding.warn(event, "unreadable_path", `The path ${path} was not written: ${target.error.message}`);
  const run = folding.runOf(event);
  meetInstance(folding, event, run, instance);
  const root = Object.hasOwn(run.state, instance) ? run.state[instance] : undefined;
  const written = writeValue(folding.draft, root, target.value.path, cite(event, "/value", value));
  if (!written.ok)
    return folding.warn(event, "write_below_scalar", `The path ${path} was not written: ${WHY[written.reason]}`);
  run.state = folding.draft.own(run.state);
  setKey(run.state, instance, written.root);
  remember(folding, run, {
    seq: event.seq,
    instance,
    path,
    call_id: call_id ?? null,
    iteration: iteration ?? run.iteration,
  });
}

const WHY = {
  below_scalar: "a value above it is not an object",
  not_an_object: "the whole †state must be an object",
};

function remember(folding: Folding, run: Run, write: Write): void {
  run.writes = folding.draft.own(run.writes);
  const places = folding.placesOf(run.writes);
  const key = `${write.instance}\u0000${write.path}`;
  const place = places.get(key) ?? run.writes.length;
  places.set(key, place);
  run.writes[place] = write;
}

/** A JSON Patch (RFC 6902) of the agent's memory, applied entirely or not at all. */
function foldMemory(folding: Folding, event: EventOf<"memory.updated">): void {
  const { root } = folding;
  try {
    root.memory = patched(root.memory ?? {}, event.payload.delta);
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    folding.warn(event, "memory_patch_failed", `The memory was not changed, because the patch does not apply: ${why}`);
  }
}
