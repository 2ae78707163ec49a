"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { currentSearch } from "@/components/client/address.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import { useCopy } from "@/components/ui/use-copy.ts";
import type { Draft } from "./draft/documents.ts";
import { printHash } from "./draft/draft-hash.ts";
import { ExamplesMenu } from "./draft/examples-menu.tsx";
import type { OpenDraft } from "./draft/use-draft.ts";
import { SIDES, type Side } from "./playground-panes.tsx";
import { RunForm } from "./run/run-form.tsx";
import { SaveForm } from "./run/save-form.tsx";
import type { OpenPlan } from "./use-plan.ts";

interface PlaygroundBarProps {
  draft: OpenDraft;
  plan: OpenPlan;
  side: Side;
  onSide: (side: Side) => void;
  /** Called when another draft is opened. */
  onOpen: () => void;
}

/** The actions of the page. */
export function PlaygroundBar({ draft, plan, side, onSide, onOpen }: PlaygroundBarProps) {
  const t = useTranslations("playground");
  const open = (next: Draft) => {
    draft.open(next);
    onOpen();
  };
  return (
    <div className="row-start-2 border-line-strong border-b bg-surface">
      <div className="flex min-h-9 flex-wrap items-center gap-1.5 px-2 py-1">
        <ExamplesMenu onExample={open} />
        {draft.hasFormer && (
          <Button
            variant="ghost"
            onClick={() => {
              draft.swap();
              onOpen();
            }}
          >
            <Icon name="retry" size={14} />
            {t("former")}
          </Button>
        )}
        <SideSwitch sides={BESIDE} side={side === "text" ? "graph" : side} onSide={onSide} className={AT.beside} />
        <SideSwitch sides={SIDES} side={side} onSide={onSide} className={AT.alone} />
        <span className="flex-1" />
        {draft.draft && <ShareDraft draft={draft.draft} />}
        <SaveForm plan={plan} />
        <RunForm plan={plan} />
      </div>
      {draft.loss && (
        <p role="alert" className="px-3 pb-1.5 text-st-failed">
          {t(`loss.${draft.loss}`)}
        </p>
      )}
      {!draft.isKept && (
        <p role="alert" className="px-3 pb-1.5 text-st-failed">
          {t("notKept")}
        </p>
      )}
    </div>
  );
}

/** The panes beside the text, if there is room for two. */
const BESIDE = ["graph", "simulation"] as const;
const AT = { beside: "hidden! md:max-[1180px]:inline-flex!", alone: "hidden! max-md:inline-flex!" } as const;

interface SideSwitchProps {
  sides: readonly Side[];
  side: Side;
  onSide: (side: Side) => void;
  className: string;
}

function SideSwitch({ sides, side, onSide, className }: SideSwitchProps) {
  const t = useTranslations("playground.panes");
  const options = sides.map((value) => ({ value, label: t(value) }));
  return <Segmented label={t("label")} value={side} options={options} onChange={onSide} className={className} />;
}

/** Copies a link that contains the plan and the selection. */
function ShareDraft({ draft }: { draft: Draft }) {
  const t = useTranslations("playground.share");
  const [outcome, copy] = useCopy();
  const [tooLong, setTooLong] = useState<Draft | null>(null);
  const share = async () => {
    const hash = await printHash(draft);
    if (hash === null) return setTooLong(draft);
    const { origin, pathname } = window.location;
    return copy(origin + pathname + currentSearch() + hash);
  };
  // It is about this text: a shorter one may fit.
  const isTooLong = tooLong === draft;
  const word = isTooLong ? t("tooLong") : outcome ? t(outcome) : t("copy");
  return (
    <Button variant="ghost" onClick={share} title={t("title")}>
      <Icon name={outcome === "copied" ? "check" : "share"} />
      <span className={isTooLong ? "" : "max-md:sr-only"}>{word}</span>
      <span role="status" className="sr-only">
        {isTooLong || outcome ? word : ""}
      </span>
    </Button>
  );
}
