"use client";

import type { ReactNode } from "react";
import { Language } from "./language.tsx";
import { messages } from "./ru.ts";

export default function Russian({ children }: { children: ReactNode }) {
  return (
    <Language locale="ru" messages={messages}>
      {children}
    </Language>
  );
}
