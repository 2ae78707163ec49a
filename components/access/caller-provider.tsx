"use client";

import { createContext, type ReactNode, use } from "react";
import type { Caller } from "@/lib/access/caller.ts";

/** Who looks at the console. */
export interface Reader {
  caller: Caller;
  /** They have a password here, rather than with a provider elsewhere. */
  hasPassword: boolean;
}

const ReaderContext = createContext<Reader>({ caller: { kind: "nobody" }, hasPassword: false });

/** Tells the whole console who looks at it. What they may is decided by the server; here it is only shown. */
export function CallerProvider({ caller, hasPassword, children }: Reader & { children: ReactNode }) {
  return <ReaderContext value={{ caller, hasPassword }}>{children}</ReaderContext>;
}

/** Who looks at the page. */
export function useCaller(): Caller {
  return use(ReaderContext).caller;
}

/** Whether they have a password that they can change here. */
export function useHasPassword(): boolean {
  return use(ReaderContext).hasPassword;
}
