"use client";

import { createContext, type ReactNode, use } from "react";
import type { Caller } from "@/lib/access/caller.ts";

const CallerContext = createContext<Caller>({ kind: "nobody" });

/** Tells the whole console who looks at it. What they may is decided by the server; here it is only shown. */
export function CallerProvider({ caller, children }: { caller: Caller; children: ReactNode }) {
  return <CallerContext value={caller}>{children}</CallerContext>;
}

/** Who looks at the page. */
export function useCaller(): Caller {
  return use(CallerContext);
}
