"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { isSubmitKey } from "@/components/keys/submit-key.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { type Bookmark, LONGEST_NOTE } from "@/lib/session/bookmarks.ts";
import { useEventName } from "../use-event-name.ts";
import type { BookmarkPanel } from "./use-bookmark-panel.ts";

interface BookmarkLineProps {
  bookmark: Bookmark;
  /** The event type of the step. */
  type: string;
  isHere: boolean;
  isEdited: boolean;
  panel: BookmarkPanel;
}

/** A bookmark: a link to its step, its editable note, and a button to remove it. */
export function BookmarkLine({ bookmark: { seq, note }, type, isHere, isEdited, panel }: BookmarkLineProps) {
  const t = useTranslations("timeline.bookmarks");
  const jump = useStudio((state) => state.jump);
  const nameOf = useEventName();
  return (
    <li className={`rounded-1 ${isHere ? "bg-accent-soft" : "hover:bg-hover"}`}>
      <div className="flex items-start">
        <button
          type="button"
          aria-current={isHere ? "step" : undefined}
          onClick={() => jump(seq)}
          className="flex min-h-6.5 phone:min-h-11 min-w-0 flex-1 flex-col items-start px-2 py-1 text-left"
        >
          <span className="max-w-full truncate text-11 text-fg-3">
            <b className="font-semibold text-fg tabular-nums">{t("step", { step: seq })}</b> · {nameOf(type)}
          </span>
          {note !== null && !isEdited && <span className="whitespace-pre-wrap wrap-anywhere">{note}</span>}
        </button>
        <RequirePermission permission="operate" otherwise="nothing">
          <IconButton icon="pencil" name={t("edit", { step: seq })} onClick={() => panel.edit(seq)} />
          <IconButton icon="close" name={t("remove", { step: seq })} onClick={() => panel.bookmarks.remove(seq)} />
        </RequirePermission>
      </div>
      {isEdited && (
        <NoteField note={note ?? ""} label={t("note", { step: seq })} onDone={(text) => panel.write(seq, text)} />
      )}
    </li>
  );
}

/** Enter and blur save the note; Escape cancels. */
function NoteField({ note, label, onDone }: { note: string; label: string; onDone: (text: string | null) => void }) {
  const t = useTranslations("timeline.bookmarks");
  const [text, setText] = useState(note);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onDone(null);
    else if (isSubmitKey(event)) onDone(text);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="px-2 pb-2">
      <textarea
        ref={(field) => field?.focus()}
        value={text}
        rows={2}
        maxLength={LONGEST_NOTE}
        aria-label={label}
        placeholder={t("placeholder")}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => onDone(text)}
        className="field-sizing-content max-h-40 w-full resize-none rounded-2 border border-line-control bg-canvas px-2 py-1 text-fg placeholder:text-fg-3"
      />
    </div>
  );
}
