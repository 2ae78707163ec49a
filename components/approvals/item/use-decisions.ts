"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { isOpen, onTold } from "@/components/decision/pending.ts";
import type { Outcome } from "@/components/decision/send-decision.ts";
import { usePending } from "@/components/decision/use-pending.ts";
import { type InboxPages, inboxKey, withKnown } from "../inbox/inbox-pages.ts";

interface Follow {
  /** These were decided; the server has said so. */
  onDecided: (ids: ReadonlySet<string>) => void;
  /** What was decided about these was undone. */
  onUndone: (ids: readonly string[]) => void;
}

/**
 * What is decided in this tab, as the inbox shows it. Nothing is shown ahead of the answer: an item changes by what the
 * server says of it, and until then says that its decision can be undone.
 */
export function useDecisions(follow: Follow) {
  const queries = useQueryClient();
  const pending = usePending();
  const [late, setLate] = useState<ReadonlySet<string>>(new Set());

  /** Takes over what became of decisions. One that came after another is late: somebody was first. */
  const onSettled = useEffectEvent((outcomes: readonly Outcome[]) => {
    const known = outcomes.flatMap(({ confirmation }) => confirmation ?? []);
    queries.setQueryData<InboxPages>(inboxKey("requested"), (data) => data && withKnown(data, known));
    const overtaken = outcomes.filter(
      ({ outcome, confirmation }) =>
        outcome === "already" || (outcome === "refused" && confirmation?.status !== "requested"),
    );
    if (overtaken.length > 0) setLate((before) => new Set([...before, ...overtaken.map(({ id }) => id)]));
    const decided = outcomes.filter(({ outcome }) => outcome === "decided");
    if (decided.length > 0) follow.onDecided(new Set(decided.map(({ id }) => id)));
  });
  const onUndone = useEffectEvent((ids: readonly string[]) => follow.onUndone(ids));
  // The outside system is the store of decisions.
  useEffect(() => onTold({ onSettled: (outcomes) => onSettled(outcomes), onUndone: (ids) => onUndone(ids) }), []);

  const open = pending.filter((one) => one.kind === "decision").filter(isOpen);
  return {
    /** Those that can still be undone, or are on their way, by the confirmation's id. */
    pending: new Map(open.flatMap((one) => one.items.map(({ id }) => [id, one] as const))),
    isLate: (id: string) => late.has(id),
  };
}

export type Decisions = ReturnType<typeof useDecisions>;
