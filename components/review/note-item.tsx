import { useTranslations } from "next-intl";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { actorName } from "@/components/agents/actor-name.ts";
import { Clock } from "@/components/format/clock.tsx";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { Avatar } from "@/components/queue/avatar.tsx";
import { useSelection } from "@/components/selection/use-selection.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { mentionParts, type Note } from "@/lib/notes/note.ts";

interface NoteItemProps {
  note: Note;
  people: readonly string[];
  isOwn: boolean;
  onRemove: () => void;
}

/** A note: by whom, about what, when, and its text with those whom it mentions marked. */
export function NoteItem({ note, people, isOwn, onRemove }: NoteItemProps) {
  const t = useTranslations("review.notes");
  const isAdmin = useHasPermission("admin");
  const [, select] = useSelection();
  const { by, at, seq, call_id, run_id, path, text, mentions } = note;
  const name = actorName(by) ?? "";
  return (
    <li className="flex gap-2 rounded-1 px-1.5 py-1.5 hover:bg-hover">
      <Avatar name={name} own={isOwn} />
      <div className="min-w-0 flex-1">
        <div className="flex min-h-5.5 flex-wrap items-center gap-x-2">
          <b className="min-w-0 truncate font-semibold">{isOwn ? t("you") : name}</b>
          {seq !== null && <StepLink step={seq}>{t("step", { step: seq })}</StepLink>}
          {path !== null && (
            <button
              type="button"
              onClick={() => select({ path, tab: "state" })}
              className="min-h-6 phone:min-h-11 min-w-0 max-w-full truncate font-mono text-11 text-fg-2 hover:underline"
            >
              {path}
            </button>
          )}
          {call_id !== null && (
            <button
              type="button"
              onClick={() => select({ run: run_id, call: call_id, tab: "call" })}
              className="min-h-6 phone:min-h-11 min-w-0 max-w-full truncate font-mono text-11 text-fg-2 hover:underline"
            >
              {call_id}
            </button>
          )}
          <span className="flex-1" />
          <Clock at={at} className="text-11" />
          {(isOwn || isAdmin) && <IconButton icon="close" name={t("remove")} onClick={onRemove} />}
        </div>
        <p className="text-13 leading-[var(--lh-body)] whitespace-pre-wrap wrap-anywhere">
          {mentionParts(text, [...new Set([...mentions, ...people])]).map((part, place) =>
            part.name === null ? (
              part.text
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their place
              <span key={place} className="rounded-1 bg-accent-soft px-0.75 text-accent">
                {part.text}
              </span>
            ),
          )}
        </p>
      </div>
    </li>
  );
}
