"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import { sessionSource } from "@/components/replay/load-session.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { InferredEdges, SimilarFailures } from "@/lib/api/shapes.ts";
import { isKnown, type SessionEvent } from "@/lib/session/event.ts";
import { type FailureReport, failureReport } from "@/lib/session/failure/report.ts";
import type { Session } from "@/lib/session/session.ts";
import { fromView } from "@/lib/session/view.ts";
import { NEWEST } from "./failure-address.ts";

/** What the card shows. */
export interface ShownFailure {
  report: FailureReport;
  /** The session after the failure, and the newest one. */
  after: Session;
  now: Session;
  /** The agent's next message; null if there is none yet. */
  said: { seq: number; content: string } | null;
}

/** Messages that are searched for the agent's: people may write several before it answers. */
const MOST_MESSAGES = 50;

/** The steps of a failure and of its neighbours. */
export function useFailureSteps(asked: number | typeof NEWEST) {
  const id = useStudio((state) => state.conversationId);
  const errors = useStudio((state) => state.now.failures.count);
  return useQuery({
    queryKey: ["failure-steps", id, asked, errors],
    queryFn: async ({ signal }) => {
      const source = sessionSource(id);
      const unit = errors > 0 ? "error" : "alert";
      const seek = (at: number, direction: 1 | -1) => source.next({ at, unit, direction }, signal);
      // The search wraps around: before step 0 is the newest. 0: there is none.
      const seq = asked === NEWEST ? (await seek(0, -1)) || null : asked;
      if (seq === null) return { seq, previous: null, next: null };
      const [previous, next] = await Promise.all([seek(seq, -1), seek(seq, 1)]);
      return {
        seq,
        previous: previous !== null && previous > 0 && previous < seq ? previous : null,
        next: next !== null && next > seq ? next : null,
      };
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Loads what a failure's card shows; null if the step records no failure. */
export function useFailure(seq: number | null) {
  const id = useStudio((state) => state.conversationId);
  const last = useStudio((state) => state.last);
  const loaded = useQuery({
    queryKey: ["failure", id, seq, last],
    queryFn: ({ signal }) => (seq === null ? null : loadFailure(id, seq, last, signal)),
    enabled: seq !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before, query) => (query?.queryKey[2] === seq ? before : undefined),
    structuralSharing: false,
  });
  const data = loaded.data ?? null;
  const shown = useMemo((): ShownFailure | null => {
    if (data === null) return null;
    const report = failureReport(data.event, data.after, data.now, data.edges);
    return report && { report, ...data };
  }, [data]);
  return { ...loaded, shown };
}

async function loadFailure(id: string, seq: number, last: number, signal: AbortSignal) {
  const source = sessionSource(id);
  const base = `/api/conversations/${encodeURIComponent(id)}`;
  const [[event], after, now] = await Promise.all([
    source.events(seq - 1, 1, signal),
    source.view(seq, signal),
    source.view(last, signal),
  ]);
  if (event?.seq !== seq) return null;
  const run = event.run_id ?? "";
  const [{ items }, messages] = await Promise.all([
    callApi<InferredEdges>(`${base}/inferred-edges`, { query: { run_id: run }, signal }),
    callApi<{ items: SessionEvent[] }>(`${base}/events`, {
      query: { type: "message.created", after: seq, limit: MOST_MESSAGES },
      signal,
    }),
  ]);
  return { event, after: fromView(after), now: fromView(now), edges: items, said: answerAmong(messages.items) };
}

function answerAmong(events: readonly SessionEvent[]): ShownFailure["said"] {
  for (const event of events)
    if (
      isKnown(event) &&
      event.type === "message.created" &&
      event.payload.role === "assistant" &&
      event.payload.content.trim() !== ""
    )
      return { seq: event.seq, content: event.payload.content };
  return null;
}

/** Failures of the same kind in all conversations; null while loading, and for what is no error. */
export function useSimilarFailures(seq: number): SimilarFailures | null {
  const id = useStudio((state) => state.conversationId);
  const { data } = useQuery({
    queryKey: ["similar-failures", id, seq],
    queryFn: async ({ signal }) => {
      const path = `/api/conversations/${encodeURIComponent(id)}/failures/${seq}/similar`;
      try {
        return await callApi<SimilarFailures>(path, { signal });
      } catch (error) {
        if (error instanceof ApiProblem && error.status === 404) return null;
        throw error;
      }
    },
  });
  return data ?? null;
}
