"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { AgoTime } from "@/components/list/now.tsx";
import { conversationName } from "@/components/studio/header/run-name.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { ConversationSearch } from "@/components/workbench/source/conversation-search.tsx";
import type { View } from "@/lib/session/session.ts";
import { shownStatusOf } from "@/lib/session/summary/summary.ts";
import { fromView } from "@/lib/session/view.ts";
import { SideBadge } from "./side-badge.tsx";

interface SideHeadProps {
  side: "a" | "b";
  id: string | null;
  view: View | undefined;
  onChoose: (id: string) => void;
}

/** The conversation of a side with its status, and a button to choose another one. */
export function SideHead({ side, id, view, onChoose }: SideHeadProps) {
  const t = useTranslations("compare");
  const [isChoosing, setChoosing] = useState(false);
  const isOpen = isChoosing || id === null;
  return (
    <section aria-label={t(`side.${side}`)} className="flex min-h-11 min-w-0 items-center gap-2 px-3 py-1.5">
      <SideBadge side={side} />
      {isOpen ? (
        <div className="min-w-0 flex-1">
          <ConversationSearch
            fieldId={`compare-${side}`}
            label={t(`choose.${side}`)}
            onChoose={(chosen) => {
              setChoosing(false);
              onChoose(chosen);
            }}
          />
        </div>
      ) : (
        <Chosen id={id} view={view} />
      )}
      {id !== null && (
        <Button
          variant="ghost"
          square
          pressed={isChoosing}
          aria-label={t(`other.${side}`)}
          title={t(`other.${side}`)}
          onClick={() => setChoosing(!isChoosing)}
        >
          <Icon name={isChoosing ? "close" : "search"} />
        </Button>
      )}
    </section>
  );
}

function Chosen({ id, view }: { id: string; view: View | undefined }) {
  const t = useTranslations("compare");
  const status = useTranslations("events.conversation_status");
  if (!view) return <span className="min-w-0 flex-1 truncate font-mono text-11 text-fg-3">{id}</span>;
  const { summary } = view;
  const shown = shownStatusOf(summary);
  const name = conversationName(fromView(view), null) ?? id;
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2">
      <StatusIcon status={shown} size={14} label={status(shown)} />
      <Link
        href={`/conversations/${encodeURIComponent(id)}`}
        title={name === id ? id : `${name} · ${id}`}
        className="min-w-0 truncate rounded-1 text-13 font-semibold hover:underline phone:leading-11"
      >
        {name}
      </Link>
      {summary.forked_from && (
        <span className="inline-flex flex-none items-center gap-1 text-fg-3 max-lg:hidden">
          <Icon name="fork" size={14} />
          {t("forkAt", { step: summary.forked_from.seq })}
        </span>
      )}
      {summary.updated_at && (
        <span className="ml-auto flex-none text-fg-3 tabular-nums max-md:hidden">
          <AgoTime at={summary.updated_at} />
        </span>
      )}
    </span>
  );
}
