"use client";

import { type RefObject, useCallback, useRef, useState } from "react";
import { useMay } from "@/components/access/use-may.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { type Bookmarks, useBookmarks } from "./use-bookmarks.ts";

/** The list of marks: which note is being edited, and what a key or a button does to it. */
export interface BookmarkPanel {
  bookmarks: Bookmarks;
  popover: RefObject<HTMLDivElement | null>;
  /** The button that the list opens beside, by whatever means. */
  opener: RefObject<HTMLButtonElement | null>;
  /** The step whose note is being edited; null for none. */
  editing: number | null;
  edit(seq: number | null): void;
  /** Marks the step at the playhead, where it is not, and opens the list at its note. */
  mark(): void;
  /** Ends the editing of a note; null leaves it as it was. */
  write(seq: number, note: string | null): void;
}

export function useBookmarkPanel(): BookmarkPanel {
  const store = useStudioStore();
  const bookmarks = useBookmarks();
  const popover = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [editing, edit] = useState<number | null>(null);
  const { all, put } = bookmarks;
  const marks = useMay("operate");
  const mark = useCallback(() => {
    const { at } = store.getState();
    if (at === 0) return;
    const show = () => opener.current && popover.current?.showPopover({ source: opener.current });
    if (!marks) return show();
    if (!all.some(({ seq }) => seq === at)) put(at, null);
    show();
    edit(at);
  }, [store, all, put, marks]);
  return {
    bookmarks,
    popover,
    opener,
    editing,
    edit,
    mark,
    write(seq, note) {
      // Leaving the field after a key has ended the editing says nothing new.
      if (editing !== seq) return;
      edit(null);
      const known = all.find((one) => one.seq === seq)?.note ?? "";
      if (note !== null && note.trim() !== known) put(seq, note.trim() || null);
    },
  };
}
