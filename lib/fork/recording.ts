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

/** A call to look up. */
interface SoughtCall {
  place: CallPlace;
  tool: string;
  params: JsonObject;
}

/** The recorded results of a conversation's calls. */
interface Recordings {
  /**
   * The result of a call with the same tool and parameters: the one with the same id if there are several, else the
   * newest. Null if the view has none.
   */
  find(conversationId: string, call: SoughtCall): Promise<Recorded | null>;
}

export function createRecordings({ sessions, events }: Needs): Recordings {
  /** Views that are being read: concurrent calls share one. */
  const reading = new Map<string, Promise<readonly Call[]>>();

  function endedCalls(conversationId: string): Promise<readonly Call[]> {
    const known = reading.get(conversationId);
    if (known) return known;
    const calls = readCalls(conversationId).finally(() => reading.delete(conversationId));
    reading.set(conversationId, calls);
    return calls;
  }

  /** Newest first. */
  async function readCalls(conversationId: string): Promise<readonly Call[]> {
    const answer = await sessions.view(conversationId, null);
    if (answer === null) return [];
    const view: View = JSON.parse(answer);
    return view.calls.filter(hasResult).reverse();
  }

  /** A value with its reference resolved. What looks like a reference but is none was returned by a tool. */
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
        // A call that was itself answered from a recording names the original event.
        const at = recorded ?? { conversation_id: conversationId, seq: ended_seq ?? 1 };
        if (error) return { at, branch, result: { ok: false, error } };
        return { at, branch, result: { ok: true, output: await whole(output, conversationId) } };
      }
      return null;
    },
  };
}

/** The reference to a large field of an event's payload in a view. */
const CITED = /^\/api\/conversations\/([^/]+)\/events\?after=(\d{1,15})&limit=1#\/items\/0\/payload\/(params|output)$/;

/** Whether it has a result that can be reused. */
export function hasResult({ status, error, ended_seq }: Call): boolean {
  if (ended_seq === null) return false;
  return status === "succeeded" || status === "superseded" || (status === "failed" && error !== null);
}
