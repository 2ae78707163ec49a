"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, useRef, useState } from "react";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { Part } from "@/components/inspector/part.tsx";
import { isSubmitKey } from "@/components/keys/submit-key.ts";
import { useQueue } from "@/components/queue/use-queue.ts";
import { Button } from "@/components/ui/button.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { actorOf } from "@/lib/access/caller.ts";
import { LONGEST_NOTE_TEXT, type NotePlace } from "@/lib/notes/note.ts";
import { NoteItem } from "./note-item.tsx";
import { useNotes } from "./use-notes.ts";

/** What a note can be about, and its name. */
export interface Notable {
  key: "conversation" | "step" | "call" | "path";
  label: string;
  place: NotePlace;
}

/** Notes about the conversation, oldest first, and a field to write one about what is shown. */
export function NotesPart({ conversationId, notables }: { conversationId: string; notables: readonly Notable[] }) {
  const t = useTranslations("review.notes");
  const notes = useNotes(conversationId);
  const people = useQueue()?.people ?? [];
  const own = actorOf(useCaller());
  const [chosen, choose] = useState<Notable["key"] | null>(null);
  // The most particular of what is shown.
  const notable = notables.find(({ key }) => key === chosen) ?? notables.at(-1);
  if (!notable) return null;
  return (
    <Part title={t("title", { count: notes.all.length })}>
      {notes.all.length === 0 ? (
        <p className="pb-2 text-fg-3">{t("none")}</p>
      ) : (
        <ul aria-label={t("all")} className="-mx-1.5 pb-1.5">
          {notes.all.map((note) => (
            <NoteItem
              key={note.id}
              note={note}
              people={people}
              isOwn={note.by === own}
              onRemove={() => notes.remove(note.id)}
            />
          ))}
        </ul>
      )}
      {notes.failure !== null && (
        <p role="alert" className="pb-1 text-st-failed">
          {notes.failure}
        </p>
      )}
      <RequirePermission permission="operate" otherwise="words">
        <NoteField
          people={people}
          saving={notes.saving}
          onWrite={(text, done) => notes.add({ text, place: notable.place }, { onSuccess: done })}
        >
          <select
            value={notable.key}
            aria-label={t("about")}
            onChange={({ target }) => choose(notables.find(({ key }) => key === target.value)?.key ?? null)}
            className="h-6 phone:h-11 min-w-0 max-w-44 truncate rounded-1 bg-transparent text-11 text-fg-2"
          >
            {notables.map(({ key, label }) => (
              <option key={key} value={key}>
                {label}
              </option>
            ))}
          </select>
        </NoteField>
      </RequirePermission>
    </Part>
  );
}

interface NoteFieldProps {
  people: readonly string[];
  saving: boolean;
  onWrite: (text: string, done: () => void) => void;
  children: React.ReactNode;
}

/** The people that are offered for what stands after an `@` at the end. */
const MOST_OFFERED = 5;

/** Enter writes the note, Shift+Enter begins a line; `@` offers people. */
function NoteField({ people, saving, onWrite, children }: NoteFieldProps) {
  const t = useTranslations("review.notes");
  const [text, setText] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  const begun = /(?:^|\s)@([^\s@]*)$/u.exec(text)?.[1];
  const offered =
    begun === undefined
      ? []
      : people.filter((name) => name.toLowerCase().startsWith(begun.toLowerCase())).slice(0, MOST_OFFERED);
  const take = (name: string) => {
    setText((before) => `${before.slice(0, before.lastIndexOf("@"))}@${name} `);
    field.current?.focus();
  };
  const write = () => {
    if (text.trim() !== "" && !saving) onWrite(text.trim(), () => setText(""));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [first] = offered;
    if (event.key === "Tab" && first !== undefined && !event.shiftKey) take(first);
    else if (isSubmitKey(event)) write();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="rounded-2 border border-line-control bg-canvas focus-within:border-accent">
      {offered.length > 0 && (
        <ul aria-label={t("people")} className="flex flex-wrap gap-1 border-line border-b p-1">
          {offered.map((name) => (
            <li key={name}>
              <button
                type="button"
                onClick={() => take(name)}
                className="min-h-6 phone:min-h-11 rounded-1 bg-accent-soft px-1.5 text-accent hover:underline"
              >
                @{name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={field}
        value={text}
        rows={2}
        maxLength={LONGEST_NOTE_TEXT}
        aria-label={t("write")}
        placeholder={t("placeholder")}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content block max-h-60 min-h-12 w-full resize-none bg-transparent px-2 py-1.5 text-fg outline-none placeholder:text-fg-3"
      />
      <div className="flex min-w-0 items-center gap-2 px-1.5 pb-1.5">
        {children}
        <span className="flex-1" />
        <Button disabled={text.trim() === "" || saving} onClick={write} className="phone:h-11">
          {t("save")}
          <Kbd>↵</Kbd>
        </Button>
      </div>
    </div>
  );
}
