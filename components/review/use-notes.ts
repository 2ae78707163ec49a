"use client";

import { sendApi } from "@/components/client/api.ts";
import type { Note, NotePlace } from "@/lib/notes/note.ts";
import { addressOf, useReview } from "./use-review.ts";

/** The notes of a conversation. */
export function useNotes(conversationId: string) {
  return useReview<Note, { text: string; place: NotePlace }>("notes", conversationId, ({ text, place }) =>
    sendApi(addressOf("notes", conversationId), {
      method: "POST",
      body: { text, ...Object.fromEntries(Object.entries(place).filter(([, value]) => value !== null)) },
    }),
  );
}
