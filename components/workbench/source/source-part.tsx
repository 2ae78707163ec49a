"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useFocusAfter } from "@/components/approvals/inbox/use-focus-after.ts";
import { callApi } from "@/components/client/api.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { SEARCH_ID, SOURCE_ID } from "../ids.ts";
import type { Place } from "../place.ts";
import { conversationKey } from "../queries.ts";
import type { Fault } from "../render-request.ts";
import { ConversationSearch, nameOf } from "./conversation-search.tsx";
import { FaultText } from "./fault-text.tsx";
import { StepField } from "./step-field.tsx";

interface SourcePartProps {
  place: Place;
  faults: readonly Fault[];
  onChange: (part: Partial<Place>) => void;
}

/** The source of data: a step of a conversation, or none. */
export function SourcePart({ place, faults, onChange }: SourcePartProps) {
  const t = useTranslations("workbench.source");
  const { conversation: id } = place;
  const { data: conversation } = useConversation(id);
  const focus = useFocusAfter();
  const choose = (chosen: string | null) => {
    onChange({ conversation: chosen, at: null });
    focus(chosen === null ? SEARCH_ID : SOURCE_ID);
  };
  return (
    <section aria-labelledby="source-title" className="flex-none border-line-strong border-t px-3 pt-2 pb-2.5">
      <h2 id="source-title" className="mb-1.5 font-semibold">
        {t("title")}
      </h2>
      {id === null ? (
        <>
          <ConversationSearch onChoose={choose} />
          <p className="mt-1 text-11 text-pretty text-fg-3">{t("empty")}</p>
        </>
      ) : (
        <>
          <div
            id={SOURCE_ID}
            tabIndex={-1}
            className="flex h-7.5 phone:h-11 items-center gap-1.5 rounded-2 border border-line-strong bg-canvas pr-0.5 pl-2"
          >
            <Icon name="thread" className="text-fg-3" />
            <span className="min-w-0 flex-1 truncate" title={id}>
              {conversation ? nameOf(conversation) : id}
              {conversation?.agent_id && <span className="text-fg-3"> · {conversation.agent_id}</span>}
            </span>
            {conversation && (
              <Link
                href={`/conversations/${encodeURIComponent(id)}${place.at === null ? "" : `?at=${place.at}`}`}
                className="inline-flex h-6 flex-none items-center rounded-1 px-1.5 font-medium whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg"
              >
                {t("open")}
              </Link>
            )}
            <Button variant="ghost" square aria-label={t("remove")} title={t("remove")} onClick={() => choose(null)}>
              <Icon name="close" size={14} />
            </Button>
          </div>
          <FaultText field="conversation" faults={faults} />
          {conversation && (
            <StepField at={place.at} last={conversation.last_seq} faults={faults} onChange={(at) => onChange({ at })} />
          )}
        </>
      )}
    </section>
  );
}

/** The row of a conversation; null fetches nothing. */
function useConversation(id: string | null) {
  return useQuery({
    queryKey: conversationKey(id ?? ""),
    queryFn: ({ signal }) => callApi<Conversation>(`/api/conversations/${encodeURIComponent(id ?? "")}`, { signal }),
    enabled: id !== null,
  });
}
