"use client";

import { type RefObject, useCallback, useRef, useState } from "react";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { useStudioStore } from "@/components/studio/use-studio.ts";
import { type Bookmarks, useBookmarks } from "./use-bookmarks.ts";

/** The state of the bookmark list: the edited note, and the actions of keys and buttons. */
export interface BookmarkPanel {
  bookmarks: Bookmarks;
  popover: RefObject<HTMLDivElement | null>;
  /** The button beside which the list opens. */
  opener: RefObject<HTMLButtonElement | null>;
  /** The step whose note is being edited; null for none. */
  editing: number | null;
  edit(seq: number | null): void;
  /** Bookmarks the current step, if needed, and opens the list at its note. */
  mark(): void;
  /** Saves the edited note; null cancels. */
  write(seq: number, note: string | null): void;
}

export function useBookmarkPanel(): BookmarkPanel {
  const store = useStudioStore();
  const bookmarks = useBookmarks();
  const popover = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [editing, edit] = useState<number | null>(null);
  const { all, put } = bookmarks;
  const marks = useHasPermission("operate");
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
      // The blur after a key has ended editing is ignored.
      if (editing !== seq) return;
      edit(null);
      const known = all.find((one) => one.seq === seq)?.note ?? "";
      if (note !== null && note.trim() !== known) put(seq, note.trim() || null);
    },
  };
}
