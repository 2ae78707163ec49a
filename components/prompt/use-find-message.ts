"use client";

import { useMemo } from "react";
import { useStudio } from "@/components/studio/use-studio.ts";
import { useEarlierMessages } from "@/components/thread/message/use-earlier-messages.ts";
import type { Message } from "@/lib/session/session.ts";

/** Messages by id: those of the view, and earlier ones once loaded. */
export interface MessageFinder {
  find(id: string): Message | null;
  /** How many earlier ones are not loaded. */
  left: number;
  loading: boolean;
  load(): void;
}

export function useFindMessage(): MessageFinder {
  const messages = useStudio((state) => state.session.messages);
  const before = useStudio((state) => state.session.messages_before);
  const earlier = useEarlierMessages(before);
  // Loaded pages do not change; their number tells whether there are new ones.
  const loaded = earlier.messages.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const byId = useMemo(
    () => new Map([...earlier.messages, ...messages].map((one) => [one.id, one])),
    [loaded, messages],
  );
  return { find: (id) => byId.get(id) ?? null, left: earlier.left, loading: earlier.loading, load: earlier.load };
}
