import { useFormatter, useTranslations } from "next-intl";
import { memo, type ReactNode } from "react";
import { NEWEST_FAILURE } from "@/components/failure/failure-address.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { isQuiet, STATUS, STATUS_INK } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { ColumnCell } from "../columns/column-cell.tsx";
import { type Column, columnClass } from "../columns/columns.ts";
import { ChannelIcon } from "../filters/channel-icon.tsx";
import { AgoTime } from "../now.tsx";
import type { Mark } from "../use-marks.ts";
import { RowPreview } from "./row-preview.tsx";
import { useTitle } from "./use-title.ts";

/** Loads the panes of a conversation's page, which it would otherwise ask for one after the other, and what lays plans out. */
function loadPanes(): void {
  void import("@/components/graph/layout/elk-worker.ts").then(({ startWorker }) => startWorker());
  void import("@/components/graph/graph-pane.tsx");
  void import("@/components/graph/plan-of-run.tsx");
  void import("@/components/inspector/inspector.tsx");
  void import("@/components/timeline/timeline.tsx");
}

/** The id of a row's link, for keyboard navigation. */
export const rowLinkId = (id: string) => `conversation-${id}`;

function Cell({ children, className = "" }: { children: ReactNode; className?: string }) {
  return <td className={className}>{children}</td>;
}

interface ConversationRowProps {
  conversation: Conversation;
  /** Its index in the list. */
  index: number;
  /** The row with keyboard focus. */
  current: boolean;
  /** Height in pixels of the rows above that are not rendered. */
  gap: number;
  columns: readonly Column[];
  /** The columns were chosen. */
  isChosen: boolean;
  /** It is selected for comparison. */
  marked: boolean;
  onMark: (mark: Mark) => void;
  onFocus: (id: string) => void;
  onOpen: (id: string) => void;
}

/** A conversation: title, status, and a link. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  index,
  current,
  gap,
  columns,
  isChosen,
  marked,
  onMark,
  onFocus,
  onOpen,
}: ConversationRowProps) {
  const t = useTranslations("list");
  const failures = useTranslations("failure");
  const format = useFormatter();
  const { id, shown_status: status } = conversation;
  const isUnanswered = status === "approved" || status === "refused";
  const title = useTitle()(conversation);
  return (
    <tr
      aria-rowindex={index + 2}
      data-current={current || undefined}
      className="list-grid list-row"
      style={gap > 0 ? { marginTop: gap } : undefined}
    >
      <Cell className="list-mark">
        <label>
          <input
            type="checkbox"
            checked={marked}
            aria-label={t("mark", { title })}
            onChange={() => onMark({ id, title })}
          />
        </label>
      </Cell>
      <Cell className="inline-flex min-w-0 items-center gap-1.5 whitespace-nowrap">
        <StatusIcon status={status} />
        <span
          title={t(`status.${status}`)}
          className={`min-w-0 truncate narrow:sr-only ${isQuiet(status) ? "text-fg-3" : `font-medium ${STATUS_INK[STATUS[status].token]}`}`}
        >
          {t(`status.${status}`)}
        </span>
        {conversation.error_count > 0 && (
          <Link
            href={`/conversations/${encodeURIComponent(id)}${NEWEST_FAILURE}`}
            onClick={() => onOpen(id)}
            aria-label={failures("openNewest", { count: conversation.error_count })}
            title={failures("openNewest", { count: conversation.error_count })}
            className="relative z-1 inline-flex flex-none narrow:hidden min-h-6 items-center gap-0.5 rounded-1 px-1 text-st-failed tabular-nums hover:bg-st-failed-bg hover:underline"
          >
            {status !== "failed" && <Icon name="failed" size={12} />}
            {format.number(conversation.error_count)}
          </Link>
        )}
      </Cell>
      <Cell>
        <ChannelIcon channel={conversation.channel} />
      </Cell>
      <Cell className="min-w-0">
        <span className="flex min-w-0 items-center gap-1.5">
          <Link
            prefetchOnRest
            onPrefetch={loadPanes}
            id={rowLinkId(id)}
            // For a search hit, the link opens the matching step.
            href={`/conversations/${encodeURIComponent(id)}${conversation.hit ? `?at=${conversation.hit.seq}` : ""}`}
            onClick={() => onOpen(id)}
            onFocus={() => onFocus(id)}
            title={title}
            className="truncate text-[12.5px] phone:text-14 font-medium"
          >
            {title}
          </Link>
          <ForkMarks forked_from={conversation.forked_from} fork_count={conversation.fork_count} />
        </span>
        <span className="block truncate text-fg-3">
          {isUnanswered ? (
            <span className="text-fg-2">{t(`unanswered.${status}`)}</span>
          ) : (
            <RowPreview conversation={conversation} hasName={title !== id} />
          )}
        </span>
      </Cell>
      {columns.map((column) => (
        <Cell key={column} className={`min-w-0 truncate text-fg-2 tabular-nums ${columnClass(column, isChosen)}`}>
          <ColumnCell column={column} conversation={conversation} />
        </Cell>
      ))}
      <Cell className="text-right whitespace-nowrap text-fg-3 tabular-nums">
        <AgoTime at={conversation.updated_at} />
      </Cell>
    </tr>
  );
});

/** Says that a conversation is a fork, and the number of its forks. */
function ForkMarks({ forked_from, fork_count }: Pick<Conversation, "forked_from" | "fork_count">) {
  const t = useTranslations("list.forked");
  const format = useFormatter();
  if (!forked_from && fork_count === 0) return null;
  const source = forked_from && t("of", { id: forked_from.conversation_id, step: forked_from.seq });
  const has = fork_count > 0 ? t("has", { count: fork_count }) : null;
  const words = [source, has].filter((text) => text !== null).join("; ");
  return (
    <span
      title={words}
      className="relative z-1 inline-flex flex-none items-center gap-0.5 text-11 text-fg-3 tabular-nums"
    >
      <Icon name="fork" size={14} className={forked_from ? "text-accent" : ""} />
      {fork_count > 0 && <span aria-hidden>{format.number(fork_count)}</span>}
      <span className="sr-only">{words}</span>
    </span>
  );
}
