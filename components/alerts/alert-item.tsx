"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { actorName } from "@/components/agents/actor-name.ts";
import { BOX_ID } from "@/components/compose/studio-box.tsx";
import { useChannelName } from "@/components/list/filters/channel-icon.tsx";
import { AgoTime } from "@/components/list/now.tsx";
import { HandBack } from "@/components/takeover/hand-back.tsx";
import { TakeOver } from "@/components/takeover/take-over.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ListedAlert } from "@/lib/api/shapes.ts";
import { studioAddress } from "./alert-pages.ts";

interface AlertItemProps {
  item: ListedAlert;
  /** It was handed back, so it is no longer open. */
  onClosed: (item: ListedAlert) => void;
}

/** The id of an alert's link, for keyboard navigation. */
export const alertLinkId = (id: string) => `alert-${id}`;

/** An alert: its message, its status, and its actions. */
export function AlertItem({ item, onClosed }: AlertItemProps) {
  const { text, reason, open } = item;
  return (
    <article
      aria-labelledby={alertLinkId(item.id)}
      className={`rounded-2 border bg-surface px-3 py-2.5 focus-within:border-accent ${open ? "border-line-strong" : "border-line"}`}
    >
      <header className="flex items-baseline gap-1.75">
        <Icon
          name={open ? "escalated" : "check"}
          size={14}
          className={`translate-y-0.5 ${open ? "text-st-escalated" : "text-fg-3"}`}
        />
        <h3 className="min-w-0 truncate font-semibold">
          <Link id={alertLinkId(item.id)} data-alert href={studioAddress(item)} className="rounded-1 hover:underline">
            {nameOf(item)}
          </Link>
        </h3>
        <span className="ml-auto flex-none text-fg-3 tabular-nums">
          <AgoTime at={item.created_at} />
        </span>
      </header>
      <p className="mt-1 max-w-[75ch] text-13 leading-[var(--lh-body)] text-pretty whitespace-pre-wrap wrap-anywhere">
        {text}
      </p>
      {reason && <p className="mt-0.5 text-fg-2 wrap-anywhere">{reason}</p>}
      <Whereabouts item={item} />
      <Actions item={item} onClosed={onClosed} />
    </article>
  );
}

function nameOf({ conversation, conversation_id }: ListedAlert): string {
  return conversation.title ?? conversation.subject ?? conversation_id;
}

/** The alert's user, agent and channel, and who has taken over. */
function Whereabouts({ item }: { item: ListedAlert }) {
  const t = useTranslations("alerts.state");
  const channelName = useChannelName();
  const { conversation, agent_id, open, closed_at, closed_by } = item;
  const { taken_over, channel, user_id } = conversation;
  const who = (by: string | null) => actorName(by) ?? t("somebody");
  const at = open ? taken_over?.at : closed_at;
  const parts = [user_id, agent_id ?? conversation.agent_id, channel && channelName(channel)].filter(Boolean);
  const state = () => {
    if (!open) return t("closed", { who: who(closed_by) });
    return taken_over ? t("taken", { who: who(taken_over.by) }) : t("open");
  };
  return (
    <p className="mt-1 flex flex-wrap gap-x-2 text-fg-3">
      {parts.length > 0 && <span className="min-w-0 wrap-anywhere">{parts.join(" · ")}</span>}
      <span className={open && !taken_over ? "font-medium text-st-escalated" : "text-fg-2"}>
        {state()}
        {at && (
          <span className="font-normal text-fg-3">
            {" "}
            · <AgoTime at={at} />
          </span>
        )}
      </span>
    </p>
  );
}

/** A link that looks like a button. */
const LINK =
  "inline-flex h-[var(--control)] items-center gap-1.25 rounded-2 border border-transparent px-1.5 font-medium whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg";

function Actions({ item, onClosed }: AlertItemProps) {
  const t = useTranslations("alerts");
  const router = useRouter();
  const { conversation, conversation_id, seq, open } = item;
  const box = `/conversations/${encodeURIComponent(conversation_id)}#${BOX_ID}`;
  return (
    <div className="-ml-1.5 mt-1.5 flex flex-wrap items-center gap-x-1">
      <Link href={studioAddress(item)} tabIndex={-1} className={LINK}>
        <Icon name="thread" size={14} />
        {t("openAt", { step: seq })}
      </Link>
      {open && conversation.taken_over === null && (
        <>
          <span data-take-over>
            <TakeOver conversationId={conversation_id} ends={conversation.running} onTaken={() => router.push(box)} />
          </span>
          <HandBack conversationId={conversation_id} name={nameOf(item)} alertsOnly onBack={() => onClosed(item)} />
        </>
      )}
      {open && conversation.taken_over !== null && (
        <>
          <RequirePermission permission="ingest" otherwise="nothing">
            <Link href={box} className={LINK}>
              <Icon name="pencil" size={14} />
              {t("write")}
            </Link>
          </RequirePermission>
          <HandBack conversationId={conversation_id} name={nameOf(item)} onBack={() => onClosed(item)} />
        </>
      )}
    </div>
  );
}
