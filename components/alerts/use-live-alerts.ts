"use client";

import { useLiveRefresh } from "@/components/client/use-live-refresh.ts";
import type { ListedAlert } from "@/lib/api/shapes.ts";
import { ALERTS_KEY } from "./alert-pages.ts";

/** At most one refresh in this time, ms. */
const PACE = 400;

/** What changes how a listed alert stands: who has its conversation, what it is called, and whether a run of it goes on. */
const CHANGES = /^(conversation\.|run\.(started|resumed|finished|failed|cancelled)$)/;

/** Keeps the list of alerts up to date while it is open. */
export function useLiveAlerts(items: readonly ListedAlert[]): void {
  useLiveRefresh({
    keys: [ALERTS_KEY],
    pace: PACE,
    concerns: ({ type, conversation_id }) =>
      type === "manager.alerted" ||
      (CHANGES.test(type) && items.some((item) => item.conversation_id === conversation_id)),
  });
}
