"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { isOpen, onDecisionResult } from "@/components/decision/pending.ts";
import { isWaiting, type Outcome } from "@/components/decision/send-decision.ts";
import { usePending } from "@/components/decision/use-pending.ts";
import { type InboxPages, inboxKey, withKnown } from "../inbox/inbox-pages.ts";

interface Follow {
  /** The server has confirmed these decisions. */
  onDecided: (ids: ReadonlySet<string>) => void;
  /** These decisions were undone. */
  onUndone: (ids: readonly string[]) => void;
}

/**
 * The decisions made in this tab. There are no optimistic updates: a row changes when the server has answered; until
 * then it shows that its decision can be undone.
 */
export function useDecisions(follow: Follow) {
  const queries = useQueryClient();
  const pending = usePending();
  const [late, setLate] = useState<ReadonlySet<string>>(new Set());

  /** Handles the results of decisions. One is late when somebody else decided first. */
  const onSettled = useEffectEvent((outcomes: readonly Outcome[]) => {
    const known = outcomes.flatMap(({ confirmation }) => confirmation ?? []);
    queries.setQueryData<InboxPages>(inboxKey("requested"), (data) => data && withKnown(data, known));
    const overtaken = outcomes.filter(
      ({ outcome, confirmation }) =>
        (outcome === "already" && confirmation?.status !== "requested") ||
        (outcome === "refused" && confirmation?.status !== "requested"),
    );
    if (overtaken.length > 0) setLate((before) => new Set([...before, ...overtaken.map(({ id }) => id)]));
    const decided = outcomes.filter((one) => one.outcome === "decided" && !isWaiting(one));
    if (decided.length > 0) follow.onDecided(new Set(decided.map(({ id }) => id)));
  });
  const onUndone = useEffectEvent((ids: readonly string[]) => follow.onUndone(ids));
  // The outside system is the store of decisions.
  useEffect(
    () => onDecisionResult({ onSettled: (outcomes) => onSettled(outcomes), onUndone: (ids) => onUndone(ids) }),
    [],
  );

  const open = pending.filter((one) => one.kind === "decision").filter(isOpen);
  return {
    /** Decisions that can be undone or are being sent, by confirmation id. */
    pending: new Map(open.flatMap((one) => one.items.map(({ id }) => [id, one] as const))),
    isLate: (id: string) => late.has(id),
  };
}

export type Decisions = ReturnType<typeof useDecisions>;
