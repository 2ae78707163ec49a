import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Avatar } from "@/components/queue/avatar.tsx";
import { DueTime } from "@/components/queue/due-time.tsx";
import { TagChips } from "@/components/queue/tag-chips.tsx";
import { useChangeQueue, useQueue } from "@/components/queue/use-queue.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { Conversation } from "@/lib/api/shapes.ts";
import { UNTOUCHED } from "@/lib/queue/queue.ts";
import { useNow } from "../now.tsx";

const QUIET = <span className="text-fg-3">–</span>;

/** Who looks after it. */
export function OwnerCell({ conversation }: { conversation: Conversation }) {
  const t = useTranslations("queue");
  const me = useQueue()?.me;
  const { assignee } = conversation.queue ?? UNTOUCHED;
  if (assignee === null)
    return (
      <RequirePermission permission="operate" otherwise="nothing">
        <Take id={conversation.id} />
      </RequirePermission>
    );
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Avatar name={assignee} own={assignee === me} />
      <span className="truncate">{assignee === me ? t("you") : assignee}</span>
    </span>
  );
}

/** Its tags and notes. */
export function TagsCell({ conversation }: { conversation: Conversation }) {
  const t = useTranslations("queue");
  const { tags } = conversation.queue ?? UNTOUCHED;
  return (
    <span className="flex min-w-0 items-center gap-2">
      {tags.length === 0 ? QUIET : <TagChips tags={tags} most={2} />}
      {conversation.note_count > 0 && (
        <span
          title={t("notes", { count: conversation.note_count })}
          className="ml-auto inline-flex flex-none items-center gap-1 text-fg-3 tabular-nums"
        >
          <Icon name="thread" size={12} />
          {conversation.note_count}
          <span className="sr-only">{t("notes", { count: conversation.note_count })}</span>
        </span>
      )}
    </span>
  );
}

/** When it is due. */
export function DueCell({ conversation }: { conversation: Conversation }) {
  const now = useNow();
  const { due_at } = conversation.queue ?? UNTOUCHED;
  return due_at === null ? <span className="phone:hidden">{QUIET}</span> : <DueTime at={due_at} now={now} />;
}

function Take({ id }: { id: string }) {
  const t = useTranslations("queue");
  const queue = useQueue();
  const { mutate, isPending } = useChangeQueue();
  if (!queue?.people.includes(queue.me)) return QUIET;
  return (
    <button
      type="button"
      disabled={isPending}
      onClick={() => mutate({ ids: [id], change: { assignee: queue.me } })}
      className="relative z-1 inline-flex min-h-6 items-center gap-1.5 text-fg-2 hover:text-fg"
    >
      <span aria-hidden className="size-5.5 flex-none rounded-full border border-line-control border-dashed" />
      <span className="underline decoration-line-control underline-offset-3">{t("take")}</span>
    </button>
  );
}
