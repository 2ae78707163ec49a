"use client";

import { createContext, type ReactNode, use } from "react";
import type { Caller } from "@/lib/access/caller.ts";

/** The caller: the user who has this page open. */
export interface Reader {
  caller: Caller;
  /** Signs in with a password here, not with an OpenID Connect provider. */
  hasPassword: boolean;
}

const ReaderContext = createContext<Reader>({ caller: { kind: "nobody" }, hasPassword: false });

/** Provides the caller to the console. The server decides what they may do; here it only affects what is shown. */
export function CallerProvider({ caller, hasPassword, children }: Reader & { children: ReactNode }) {
  return <ReaderContext value={{ caller, hasPassword }}>{children}</ReaderContext>;
}

/** The caller. */
export function useCaller(): Caller {
  return use(ReaderContext).caller;
}

/** Whether the caller has a password that they can change here. */
export function useHasPassword(): boolean {
  return use(ReaderContext).hasPassword;
}
