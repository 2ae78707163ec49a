"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect } from "react";
import { currentSearch } from "@/components/client/address.ts";
import { useFind } from "@/components/find/use-find.ts";
import { writersOf } from "@/components/inspector/state/state-paths.ts";
import { printedKey } from "@/components/keys/shortcuts.ts";
import { useShortcuts } from "@/components/keys/use-shortcuts.ts";
import { findNeighbour, keepPlace, readPlace } from "@/components/list/list-place.ts";
import { type Command, offerCommands } from "@/components/palette/command.ts";
import { exportConversation } from "@/components/transfer/transfers.ts";
import type { TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { resolveSelection } from "../selection/resolve-selection.ts";
import { useSelectCall } from "../selection/use-select-call.ts";
import { INSPECTOR_TABS, parseSelection, useSelection } from "../selection/use-selection.ts";
import { listAddress } from "./header/list-link.tsx";
import type { StudioState } from "./studio-state.ts";
import { useStudioStore } from "./use-studio.ts";

/** The studio's commands for the palette: steps, calls, values, runs, tabs, and other conversations. */
export function useStudioCommands(): void {
  const t = useTranslations();
  const store = useStudioStore();
  const router = useRouter();
  const [, select] = useSelection();
  const selectCall = useSelectCall();
  const [, setFind] = useFind();
  const { walk, leave } = useListWalk();

  // The outside system is the palette.
  useEffect(() => {
    const steps = (state: StudioState, typed: string): Command[] => {
      const { at, last, timeline, jump: go, goLive } = state;
      const step = Number(/^#?(\d{1,9})$/.exec(typed.trim())?.[1] ?? Number.NaN);
      const jump = (id: string, icon: Command["icon"], to: number | undefined, label: string): Command[] =>
        to === undefined
          ? []
          : [{ id, group: "steps", icon, label, detail: t("find.step", { step: to }), run: () => go(to) }];
      const rows = timeline ?? [];
      const newest = (is: (row: TimelineRow) => boolean) => rows.findLast(is)?.seq;
      return [
        ...(step <= last
          ? [
              {
                id: "step",
                group: "steps",
                icon: "next-step",
                label: t("palette.studio.step", { step }),
                detail: t("palette.studio.of", { last }),
                words: typed,
                run: () => go(step),
              } as const,
            ]
          : []),
        ...jump("error", "failed", rows.find((row) => row.seq > at && row.error)?.seq, t("palette.studio.error")),
        ...jump(
          "error-before",
          "failed",
          rows.findLast((row) => row.seq < at && row.error)?.seq,
          t("palette.studio.errorBefore"),
        ),
        ...jump(
          "approval",
          "waiting",
          newest(({ type }) => type === "confirmation.requested"),
          t("palette.studio.approval"),
        ),
        ...jump(
          "alert",
          "escalated",
          newest(({ type }) => type === "manager.alerted"),
          t("palette.studio.alert"),
        ),
        {
          id: "live",
          group: "steps",
          icon: "play",
          label: t("palette.studio.live"),
          keys: [printedKey("live")],
          run: () => go(goLive),
        },
        { id: "first", group: "steps", icon: "previous-step", label: t("palette.studio.first"), run: () => go(0) },
      ];
    };

    const ofSession = ({ session }: StudioState): Command[] => {
      const looked = resolveSelection(session, parseSelection(new URLSearchParams(currentSearch())));
      const { run, runs, instance } = looked;
      const paths = run ? [...writersOf(session, run, instance).keys()] : [];
      return [
        ...[...session.calls.values()].reverse().map<Command>((call, index) => ({
          id: `call-${index}`,
          group: "calls",
          icon: "right",
          label: call.tool,
          detail: [call.id, call.instance, t(`events.call_status.${call.status}`)].filter(Boolean).join(" · "),
          run: () => selectCall(call),
        })),
        ...paths.map<Command>((path) => ({
          id: `path-${path}`,
          group: "state",
          icon: "write",
          label: `†state${path}`,
          run: () => select({ path: `†state${path}`, tab: "state" }),
        })),
        ...INSPECTOR_TABS.map<Command>((tab) => ({
          id: `tab-${tab}`,
          group: "runs",
          icon: "fit",
          label: t("palette.studio.tab", { name: t(`inspector.tabs.${tab}`) }),
          run: () => select({ tab }),
        })),
        ...runs.map<Command>((one, index) => ({
          id: `run-${one.id}`,
          group: "runs",
          icon: "play",
          label: t("palette.studio.run", { number: session.runs_before + index + 1 }),
          detail: one.id,
          run: () => select({ run: one.id, iteration: null, instance: null, call: null }),
        })),
      ];
    };

    const ways: Command[] = [
      {
        id: "transcript",
        group: "here",
        icon: "thread",
        label: t("studio.menu.transcript"),
        words: "print pdf",
        run: () => router.push(`${window.location.pathname}/transcript`),
      },
      {
        id: "export",
        group: "here",
        icon: "export",
        label: t("studio.menu.export"),
        words: "export ndjson",
        run: () => void exportConversation(store.getState().conversationId),
      },
      {
        id: "find",
        group: "here",
        icon: "search",
        label: t("palette.studio.find"),
        keys: [printedKey("search")],
        run: () => setFind(""),
      },
      {
        id: "next",
        group: "here",
        icon: "down",
        label: t("palette.studio.next"),
        keys: [printedKey("next")],
        run: () => void walk(1),
      },
      {
        id: "previous",
        group: "here",
        icon: "up",
        label: t("palette.studio.previous"),
        keys: [printedKey("previous")],
        run: () => void walk(-1),
      },
      {
        id: "list",
        group: "here",
        icon: "left",
        label: t("palette.studio.list"),
        keys: [printedKey("list")],
        run: leave,
      },
    ];
    return offerCommands((typed) => {
      const state = store.getState();
      return [...steps(state, typed), ...ofSession(state), ...ways];
    });
  }, [t, router, store, select, selectCall, setFind, walk, leave]);
}

/** Goes to the next or previous conversation of the filtered list, or back to it: also J, K and U. */
function useListWalk() {
  const store = useStudioStore();
  const router = useRouter();
  const walk = useCallback(
    async (by: 1 | -1) => {
      const id = await findNeighbour(store.getState().conversationId, by);
      // Back leads to the list, not through all visited conversations.
      if (id !== null) router.replace(`/conversations/${encodeURIComponent(id)}`);
    },
    [store, router],
  );
  const leave = useCallback(() => router.push(listAddress()), [router]);
  // The outside system is session storage.
  useEffect(() => {
    const place = readPlace();
    if (place) keepPlace({ ...place, at: store.getState().conversationId });
  }, [store]);
  // The page already shows that the server is unreachable.
  const step = (by: 1 | -1) => void walk(by).catch(() => undefined);
  useShortcuts({ next: () => step(1), previous: () => step(-1), list: leave });
  return { walk, leave };
}
