"use client";

import type { ReactNode } from "react";
import { messages } from "./en.ts";
import { Language } from "./language.tsx";

export default function English({ children }: { children: ReactNode }) {
  return (
    <Language locale="en" messages={messages}>
      {children}
    </Language>
  );
}
