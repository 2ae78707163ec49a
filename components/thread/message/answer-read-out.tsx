"use client";

import { useState } from "react";
import { plainText } from "@/components/list/row/plain-text.ts";
import type { Session } from "@/lib/session/session.ts";

/** For those who do not see the answer come: it is read out once it is whole, if it came while the page was there. */
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
