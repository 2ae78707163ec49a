"use client";

import { useTranslations } from "next-intl";
import { AgoTime } from "@/components/list/now.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import { nameOf } from "@/components/workbench/source/conversation-search.tsx";
import { useConversationSearch } from "@/components/workbench/source/use-conversation-search.ts";
import type { Place } from "./place.ts";
import { SideBadge } from "./side-badge.tsx";

interface ChoicesProps {
  place: Pick<Place, "a" | "b">;
  onChange: (change: Partial<Place>) => void;
}

/** What can be chosen as long as a side is missing: the newest conversations, a fork together with its source. */
export function Choices({ place: { a, b }, onChange }: ChoicesProps) {
  const t = useTranslations("compare");
  const status = useTranslations("events.conversation_status");
  const { found } = useConversationSearch("", true);
  const side = a === null ? "a" : "b";
  const left = found.filter(({ id }) => id !== a && id !== b);
  return (
    <div className="h-full overflow-y-auto">
      <EmptyState icon="compare" title={t("empty.title")}>
        {t("empty.text")}
        {left.length > 0 && (
          <ul aria-label={t(`choose.${side}`)} className="mt-4 border-line border-t">
            {left.map((conversation) => {
              const { id, forked_from, updated_at, shown_status: shown } = conversation;
              const isPair = a === null && b === null && forked_from !== null;
              return (
                <li key={id} className="border-line border-b">
                  <button
                    type="button"
                    onClick={() => onChange(isPair ? { a: forked_from.conversation_id, b: id } : { [side]: id })}
                    className="flex min-h-9 phone:min-h-11 w-full items-center gap-2 px-1 text-left hover:bg-hover"
                  >
                    <StatusIcon status={shown} size={14} label={status(shown)} />
                    <span className="min-w-0 flex-1 truncate text-fg">{nameOf(conversation)}</span>
                    {isPair && (
                      <span className="inline-flex flex-none items-center gap-1 text-fg-3">
                        <Icon name="fork" size={14} />
                        {t("empty.source")}
                      </span>
                    )}
                    <span className="flex-none text-fg-3 tabular-nums">
                      <AgoTime at={updated_at} />
                    </span>
                    {isPair ? (
                      <>
                        <SideBadge side="a" />
                        <SideBadge side="b" />
                      </>
                    ) : (
                      <SideBadge side={side} />
                    )}
                  </button>
                </li>
              );
            })}
          </ul>
        )}
      </EmptyState>
    </div>
  );
}
