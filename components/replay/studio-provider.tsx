"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { StudioContext } from "@/components/studio/use-studio.ts";
import type { Summary } from "@/lib/session/session.ts";
import type { BareView } from "@/lib/session/view.ts";
import { createStudioStore } from "./create-studio-store.ts";
import { PaceContext } from "./pane-turn.tsx";
import { weightOfText } from "./session-cache.ts";
import { useAddressSync } from "./use-address-sync.ts";

interface StudioProviderProps {
  conversationId: string;
  /** The view that the server rendered the page with, as JSON: React would go through each of its values twice. */
  view: string;
  /** How the conversation stood after its newest step. */
  now: Summary;
  /** The step of the address; null follows the newest. */
  at: number | null;
  /** Of a fork: where it comes from. */
  forkedFrom: Summary["forked_from"];
  children: ReactNode;
}

/** Gives a page the replay of one conversation; render it with the conversation's id as its key. */
export function StudioProvider({ conversationId, view, now, at, forkedFrom, children }: StudioProviderProps) {
  const t = useTranslations("timeline");
  const [replay] = useState(() => {
    const read: BareView = JSON.parse(view);
    const weight = weightOfText(view);
    return createStudioStore({
      conversationId,
      view: read,
      weight,
      now,
      at,
      forkedFrom,
      unreachable: t("unreachable"),
    });
  });
  // The outside system is the server: its stream is heard and the timeline loaded while the page is there.
  useEffect(() => replay.start(), [replay]);
  useAddressSync(replay.store);
  return (
    <StudioContext value={replay.store}>
      <PaceContext value={replay.pace}>{children}</PaceContext>
    </StudioContext>
  );
}
