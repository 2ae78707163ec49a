"use client";

import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { Session } from "@/lib/session/session.ts";
import type { Unsent } from "./outbox.ts";
import { outbox } from "./tab-outbox.ts";

const NONE: readonly Unsent[] = [];

/** The messages of this tab that a conversation's session does not have yet. */
export function useUnsent(conversationId: string, { messages }: Pick<Session, "messages">): readonly Unsent[] {
  const unsent = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.of(conversationId),
    () => NONE,
  );
  const known = useMemo(() => new Set(messages.map(({ id }) => id)), [messages]);
  // The outside system is session storage: messages that the log has are removed.
  useEffect(() => outbox.settle(conversationId, known), [conversationId, known]);
  return useMemo(() => unsent.filter(({ id }) => !known.has(id)), [unsent, known]);
}
