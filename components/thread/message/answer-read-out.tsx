"use client";

import { useState } from "react";
import { plainText } from "@/components/list/row/plain-text.ts";
import type { Session } from "@/lib/session/session.ts";

/** Screen readers announce an answer once it is complete, if it arrived while the page was open. */
export function AnswerReadOut({ session }: { session: Session }) {
  const newest = session.messages.findLast(({ role }) => role === "assistant");
  const [before] = useState(newest?.seq ?? 0);
  const { seq = 0, content } = newest ?? {};
  return (
    <p role="status" className="sr-only">
      {seq > before && typeof content === "string" && plainText(content)}
    </p>
  );
}
