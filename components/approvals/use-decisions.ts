"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Outcome, useDecideMany } from "@/components/decision/use-decide-many.ts";
import { useSeen } from "@/components/decision/use-seen.ts";
import type { Confirmation, ListedConfirmation } from "@/db/repositories.ts";
import { type InboxPages, inboxKey, withKnown } from "./inbox-pages.ts";

/**
 * Decides the item that is looked at, and keeps what became of it. Nothing is shown ahead of the answer: the items
 * change by what the server says of them.
 */
export function useDecisions(item: ListedConfirmation | null, onDecided: (id: string, decided: Confirmation) => void) {
  const queries = useQueryClient();
  const decide = useDecideMany((outcomes) => {
    settle(outcomes);
    const [outcome] = outcomes;
    if (outcome?.outcome === "decided" && outcome.confirmation) onDecided(outcome.id, outcome.confirmation);
  });
  const { before, accept } = useSeen(item);
  const [late, setLate] = useState<ReadonlySet<string>>(new Set());

  /** Puts confirmations as they stand now into the inbox. */
  const put = (confirmations: readonly Confirmation[]) =>
    queries.setQueryData<InboxPages>(inboxKey("requested"), (data) => data && withKnown(data, confirmations));

  const addLate = (ids: readonly string[]) => ids.length > 0 && setLate((before) => new Set([...before, ...ids]));

  /** Takes over what became of decisions. One that came after another is late: somebody was first. */
  const settle = (outcomes: readonly Outcome[]) => {
    put(outcomes.flatMap(({ confirmation }) => confirmation ?? []));
    const overtaken = outcomes.filter(
      ({ outcome, confirmation }) =>
        outcome === "already" ||
        (outcome === "refused" && confirmation !== undefined && confirmation.status !== "requested"),
    );
    addLate(overtaken.map(({ id }) => id));
  };

  const send = (decision: "approve" | "deny", reason = "") => {
    if (item?.status !== "requested" || decide.isPending || before) return;
    decide.mutate({ confirmations: [item], decision, ...(reason === "" ? {} : { reason }) });
  };

  const isAboutItem = item !== null && decide.variables?.confirmations.some(({ id }) => id === item.id) === true;
  const [outcome] = (isAboutItem && decide.data) || [];
  return {
    send,
    settle,
    /** What became of a decision that the item's own form sent. */
    listener: {
      onDecided: (decided: Confirmation) => {
        put([decided]);
        onDecided(decided.id, decided);
      },
      onConflict: () => item && addLate([item.id]),
    },
    pending: decide.isPending,
    error: isAboutItem ? decide.error : null,
    /** Why the server did not decide what still waits: its sentence, or that it knows none of it. */
    refused: outcome && item?.status === "requested" && outcome.outcome !== "decided" ? outcome : null,
    /** What was in view, where the item's agent asks for something else by now. */
    before: item?.status === "requested" ? before : null,
    accept,
    isLate: (id: string) => late.has(id),
  };
}

export type Decisions = ReturnType<typeof useDecisions>;
