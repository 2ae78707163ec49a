"use client";

import { useTranslations } from "next-intl";
import type { PendingDecision } from "@/components/decision/pending.ts";
import { askedFor } from "@/components/format/asked-for.ts";
import { AgoTime, useNow } from "@/components/list/now.tsx";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { ItemValues } from "../item/item-values.tsx";
import { lookOf, Reason, useVerdict } from "../item/verdict.tsx";
import { useWaitedWords } from "../use-waited-words.ts";
import { isOverdue, waitOf } from "../waited.ts";

/** The id of an approval's link, for keyboard navigation. */
export const itemLinkId = (id: string) => `approval-${id}`;

interface InboxRowProps {
  item: ListedConfirmation;
  /** Its decision, while it can be undone. */
  pending: PendingDecision | null;
  /** It is the selected one. */
  current: boolean;
  /** Undefined where approvals cannot be selected for a bulk decision. */
  marked: boolean | undefined;
  href: string;
  onSelect: (id: string) => void;
  onMark: (id: string) => void;
}

/** A row: the requested action with its values, the agent, and the waiting time or the decision. */
export function InboxRow({ item, pending, current, marked, href, onSelect, onMark }: InboxRowProps) {
  const t = useTranslations("approvals");
  const what = askedFor(item);
  const waits = item.status === "requested";
  return (
    <>
      {waits && !pending && marked !== undefined ? (
        <label className="mark">
          <input
            type="checkbox"
            checked={marked}
            aria-label={t("mark", { what })}
            onChange={() => onMark(item.id)}
            className="checkbox"
          />
        </label>
      ) : (
        <StatusIcon status={lookOf(item)} className="mt-2.25 justify-self-center" />
      )}
      <div className="min-w-0 py-2.25">
        <a
          id={itemLinkId(item.id)}
          href={href}
          data-item
          aria-current={current || undefined}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            onSelect(item.id);
          }}
          title={what}
          className="block truncate text-[12.5px] phone:text-14 font-medium"
        >
          {what}
        </a>
        <ItemValues item={item} />
        {pending ? <Deciding pending={pending} /> : waits ? <Asker item={item} /> : <Verdict item={item} />}
      </div>
      <When item={item} />
    </>
  );
}

function Deciding({ pending: { body } }: { pending: PendingDecision }) {
  const t = useTranslations("decision.pending");
  return (
    <span className="mt-0.5 block truncate font-medium text-fg-2">
      {t(body.decision === "approve" ? "approving" : "denying")}
    </span>
  );
}

function Asker({ item: { conversation, agent_id, instance, cause } }: { item: ListedConfirmation }) {
  const t = useTranslations("approvals");
  const parts = [
    conversation.user_id ?? conversation.title ?? conversation.subject,
    agent_id ?? conversation.agent_id,
    instance,
  ].filter(Boolean);
  return (
    <span className="mt-0.5 block truncate text-fg-3">
      {cause === "interrupted" && <span className="font-medium text-st-waiting">{t("interrupted")} · </span>}
      {parts.join(" · ") || t("nobody")}
    </span>
  );
}

function Verdict({ item }: { item: ListedConfirmation }) {
  const verdict = useVerdict();
  return (
    <span className="mt-0.5 block truncate text-fg-2" title={verdict(item)}>
      {verdict(item)}
      {item.unanswered && <Unanswered />}
      {item.reason && (
        <span className="text-fg-3">
          {" "}
          <Reason item={item} />
        </span>
      )}
    </span>
  );
}

function Unanswered() {
  const t = useTranslations("approvals");
  return <> · {t("unanswered")}</>;
}

function When({ item }: { item: ListedConfirmation }) {
  const now = useNow();
  const words = useWaitedWords();
  const t = useTranslations("approvals");
  if (item.status !== "requested")
    return (
      <span className="py-2.25 whitespace-nowrap text-fg-3 tabular-nums">
        <AgoTime at={item.decided_at ?? item.requested_at} />
      </span>
    );
  const overdue = isOverdue(item, now);
  return (
    <span
      className={`py-2.25 whitespace-nowrap tabular-nums ${overdue ? "font-medium text-st-failed" : "text-fg-3"}`}
      title={t("waits", { time: words(waitOf(item, now)) })}
    >
      {words(waitOf(item, now))}
    </span>
  );
}
