"use client";

import { useTranslations } from "next-intl";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { type Selection, useSelection } from "@/components/selection/use-selection.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import type { Call } from "@/lib/session/session.ts";
import type { ValueSource } from "@/lib/session/values/value-sources.ts";
import { closeFailure } from "./failure-address.ts";

const CHIP =
  "inline-flex h-5.5 phone:min-h-8 min-w-0 max-w-full items-center gap-1 rounded-1 border px-1.5 text-11 whitespace-nowrap";
const LOOKS = {
  inferred: "border-dashed border-[var(--edge-inferred)] bg-[var(--edge-inferred-bg)] text-[var(--edge-inferred)]",
  declared: "border-[var(--edge)] bg-surface text-fg-2",
  message: "border-line-strong bg-surface text-fg-2",
  none: "border-dotted border-line-strong text-fg-3",
} as const;

/** Where a value came from, as a link to it: a call, a message, the state; or that nothing is known. */
export function FailureSourceChip({ source }: { source: ValueSource | null }) {
  const t = useTranslations("failure");
  const go = useGoFromCard();
  const roles = useTranslations("events.role");
  if (source === null) return <span className={`${CHIP} ${LOOKS.none}`}>{t("noSource")}</span>;
  switch (source.kind) {
    case "call": {
      const { call, path, declared } = source;
      const seq = call.ended_seq ?? call.started_seq;
      return (
        <button
          type="button"
          title={t(declared ? "declared" : "inferred", { path })}
          className={`${CHIP} ${LOOKS[declared ? "declared" : "inferred"]} hover:underline`}
          onClick={() => go.toCall(call)}
        >
          <Icon name="call" size={12} />
          <span className="truncate font-medium">{call.tool}</span>
          {seq !== null && <span className="tabular-nums opacity-80">{seq}</span>}
        </button>
      );
    }
    case "message":
      return (
        <button
          type="button"
          className={`${CHIP} ${LOOKS.message} hover:underline`}
          onClick={() => go.toStep(source.seq)}
        >
          <Icon name="thread" size={12} />
          <span className="truncate font-medium">{isRole(source.role) ? roles(source.role) : source.role}</span>
          <span className="tabular-nums opacity-80">{source.seq}</span>
        </button>
      );
    case "path":
      return <PathPill path={source.path} />;
    default:
      return source satisfies never;
  }
}

function isRole(role: string): role is "user" | "system" | "operator" {
  return role === "user" || role === "system" || role === "operator";
}

/** Closes the card and goes to what it names; Back opens it again. */
export function useGoFromCard() {
  const store = useStudioStore();
  const selectCall = useSelectCall();
  const [, select] = useSelection();
  const leave = (go: () => void) =>
    store.getState().jump(() => {
      closeFailure();
      go();
    });
  return {
    toStep: (seq: number, selection: Partial<Selection> = {}) =>
      leave(() => {
        const { jump, seek } = store.getState();
        jump(() => seek(seq));
        select({ call: null, ...selection });
      }),
    /** `seq`: the step to go to; by default the one at which the call ended. */
    toCall: (call: Call, seq = call.ended_seq ?? call.started_seq) =>
      leave(() => {
        const { jump, seek } = store.getState();
        jump(() => {
          if (seq !== null) seek(seq);
          selectCall(call);
        });
      }),
  };
}
