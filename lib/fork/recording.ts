import type { Events, Sessions } from "../../db/repositories.ts";
import type { CallPlace } from "../engine/engine.ts";
import type { Recorded } from "../engine/isolation.ts";
import { isRef } from "../session/json/cite.ts";
import { isJsonObject, isSameJson, type Json, type JsonObject } from "../session/json/json.ts";
import type { Call, View } from "../session/session.ts";

interface Needs {
  sessions: Pick<Sessions, "view">;
  events: Pick<Events, "list">;
}

/** A call that is looked for. */
interface SoughtCall {
  place: CallPlace;
  tool: string;
  params: JsonObject;
}

/** What conversations have recorded of their calls. */
interface Recordings {
  /**
   * How a call with the same tool and parameters ended: the one of the same id where several had them, else the newest.
   * Null where there is none among the calls that the conversation's view has.
   */
  find(conversationId: string, call: SoughtCall): Promise<Recorded | null>;
}

export function createRecordings({ sessions, events }: Needs): Recordings {
  /** Views that are being read: calls that start at once look at the same one. */
  const reading = new Map<string, Promise<readonly Call[]>>();

  function endedCalls(conversationId: string): Promise<readonly Call[]> {
    const known = reading.get(conversationId);
    if (known) return known;
    const calls = readCalls(conversationId).finally(() => reading.delete(conversationId));
    reading.set(conversationId, calls);
    return calls;
  }

  /** The newest first. */
  async function readCalls(conversationId: string): Promise<readonly Call[]> {
    const answer = await sessions.view(conversationId, null);
    if (answer === null) return [];
    const view: View = JSON.parse(answer);
    return view.calls.filter(hasResult).reverse();
  }

  /** A value, also one that the view only cites. What looks like an address and is none is what a tool has answered. */
  async function whole(value: Json, conversationId: string): Promise<Json> {
    if (!isRef(value)) return value;
    const [, address, after, field] = CITED.exec(value.$ref) ?? [];
    if (address !== encodeURIComponent(conversationId) || field === undefined) return value;
    const [event] = await events.list(conversationId, { after: Number(after), limit: 1 });
    const cited = isJsonObject(event?.payload) ? event.payload[field] : undefined;
    return cited === undefined ? value : cited;
  }

  return {
    async find(conversationId, { place, tool, params }) {
      const same = (await endedCalls(conversationId)).filter((call) => call.tool === tool);
      const isNamed = ({ id }: Call) => id === place.call_id;
      for (const call of [...same.filter(isNamed), ...same.filter((one) => !isNamed(one))]) {
        if (!isSameJson((await whole(call.params, conversationId)) ?? {}, params)) continue;
        const { ended_seq, branch, error, output, recorded } = call;
        // What was itself answered with a recorded result names the event that had it first.
        const at = recorded ?? { conversation_id: conversationId, seq: ended_seq ?? 1 };
        if (error) return { at, branch, result: { ok: false, error } };
        return { at, branch, result: { ok: true, output: await whole(output, conversationId) } };
      }
      return null;
    },
  };
}

/** Where a view cites a large field of an event's payload. */
const CITED = /^\/api\/conversations\/([^/]+)\/events\?after=(\d{1,15})&limit=1#\/items\/0\/payload\/(params|output)$/;

/** Whether it has ended with something that the same call can answer with. */
export function hasResult({ status, error, ended_seq }: Call): boolean {
  if (ended_seq === null) return false;
  return status === "succeeded" || status === "superseded" || (status === "failed" && error !== null);
}
