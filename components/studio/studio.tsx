"use client";

import "./panes/past.css";
import type { ReactNode } from "react";
import { currentSearch } from "@/components/client/address.ts";
import { FailureHost } from "@/components/failure/failure-host.tsx";
import { FindPanel } from "@/components/find/find-panel.tsx";
import { ForkBanner } from "@/components/fork/fork-banner.tsx";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { PhonePanes } from "@/components/phone/phone-panes.tsx";
import { DeferredPane } from "@/components/replay/deferred-pane.tsx";
import { StudioProvider } from "@/components/replay/studio-provider.tsx";
import { usePhone } from "@/components/ui/use-phone.ts";
import type { Summary } from "@/lib/session/session.ts";
import { parseSelection, useSelection } from "../selection/use-selection.ts";
import { StudioHeader } from "./header/studio-header.tsx";
import { LoadBar } from "./panes/load-bar.tsx";
import { Panes } from "./panes/panes.tsx";
import { PastBar } from "./panes/past-bar.tsx";
import { isAtPast, useStudio, useStudioStore } from "./use-studio.ts";
import { useStudioCommands } from "./use-studio-commands.ts";

interface StudioProps {
  conversationId: string;
  /** The conversation's name until its events are loaded; null without title and messages. */
  name: string | null;
  /** The server-rendered view as a JSON string. */
  view: string;
  /** The status after its newest step. */
  now: Summary;
  /** The step in the address; null follows the newest. */
  at: number | null;
  /** The invalid step in the address. */
  badAt: string | null;
  /** The source of a fork. */
  forkedFrom: Summary["forked_from"];
}

/** A conversation: thread, plan, inspector and timeline at one step of its log (C2). */
export function Studio({ conversationId, name, view, now, at, badAt, forkedFrom }: StudioProps) {
  return (
    <StudioProvider
      key={conversationId}
      conversationId={conversationId}
      view={view}
      now={now}
      at={at}
      forkedFrom={forkedFrom}
    >
      <Screen id={conversationId} name={name} badAt={badAt} forkedFrom={forkedFrom} />
    </StudioProvider>
  );
}

function Screen({ id, name, badAt, forkedFrom }: Pick<StudioProps, "name" | "badAt" | "forkedFrom"> & { id: string }) {
  const isOnPhone = usePhone();
  useStudioKeys();
  useStudioCommands();
  return (
    <PastFrame>
      <div className="flex min-w-0 flex-col">
        <DeferredPane>
          <StudioHeader id={id} name={name} />
        </DeferredPane>
        <PastBar />
        {forkedFrom && <ForkBanner from={forkedFrom} />}
      </div>
      <main id="main" tabIndex={-1} className="past-frame relative min-h-0 outline-none">
        <LoadBar />
        <FindPanel />
        <FailureHost />
        {isOnPhone ? <PhonePanes badAt={badAt} /> : <Panes badAt={badAt} />}
      </main>
    </PastFrame>
  );
}

/** A component of its own, so that the panes do not render when the playhead reaches or leaves the end. */
function PastFrame({ children }: { children: ReactNode }) {
  const isPast = useStudio(isAtPast);
  return (
    <div
      data-past={isPast || undefined}
      className="grid h-page grid-cols-1 grid-rows-[auto_minmax(0,1fr)] overflow-hidden"
    >
      {children}
    </div>
  );
}

/** Keyboard shortcuts of the studio: Escape clears the selection, L goes live. */
function useStudioKeys(): void {
  const store = useStudioStore();
  const [, select] = useSelection();
  useShortcuts({
    close: () => {
      const { call, path, node } = parseSelection(new URLSearchParams(currentSearch()));
      if (call === null && path === null && node === null) return false;
      select({ call: null, path: null, node: null });
    },
    live: () => store.getState().jump(store.getState().goLive),
  });
}
