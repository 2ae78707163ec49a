"use client";

import type { ReactNode } from "react";
import { Kbd } from "@/components/ui/kbd.tsx";
import { KeyboardHelp, type KeyGroup, useAllowedKeys } from "./keyboard-help.tsx";

interface KeysFootProps {
  /** Those that the foot itself tells. */
  brief: KeyGroup["keys"];
  /** All of them, for the map of keys. */
  groups: KeyGroup[];
  /** How much is shown, where a page lists something. */
  children?: ReactNode;
}

/** The foot of a page: its keys in short, and the map of all of them. */
export function KeysFoot({ brief, groups, children }: KeysFootProps) {
  const allowed = useAllowedKeys();
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3">
      {allowed(brief).map(({ keys, does }) => (
        <span key={does} className="inline-flex items-center gap-1.25 max-md:hidden">
          {keys.map((key) => (
            <Kbd key={key}>{key}</Kbd>
          ))}
          {does}
        </span>
      ))}
      {children === undefined ? (
        <span className="flex-1" />
      ) : (
        <span role="status" className="ml-auto tabular-nums">
          {children}
        </span>
      )}
      <KeyboardHelp groups={groups} />
    </footer>
  );
}
