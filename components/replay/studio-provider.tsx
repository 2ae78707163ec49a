"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { StudioContext } from "@/components/studio/use-studio.ts";
import type { View } from "@/lib/session/session.ts";
import { createStudioStore } from "./create-studio-store.ts";
import { useAddressSync } from "./use-address-sync.ts";

interface StudioProviderProps {
  conversationId: string;
  /** The view that the server rendered the page with. */
  view: View;
  /** The step of the address; null follows the newest. */
  at: number | null;
  children: ReactNode;
}

/** Gives a page the replay of one conversation; render it with the conversation's id as its key. */
export function StudioProvider({ conversationId, view, at, children }: StudioProviderProps) {
  const t = useTranslations("timeline");
  const [replay] = useState(() => createStudioStore({ conversationId, view, at, unreachable: t("unreachable") }));
  // The outside system is the server: its stream is heard and the timeline loaded while the page is there.
  useEffect(() => replay.start(), [replay]);
  useAddressSync(replay.store);
  return <StudioContext value={replay.store}>{children}</StudioContext>;
}
