"use client";

import type { ReactNode } from "react";
import { Kbd } from "@/components/ui/kbd.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { type KeyGroup, type KeyPage, PAGE_KEYS } from "./pages.ts";
import { useKeyLines } from "./use-key-lines.ts";

interface KeysFootProps {
  page: KeyPage;
  /** Leaves out the shortcuts that decide something. */
  reads?: boolean;
  /** How much of a list is shown. */
  children?: ReactNode;
}

/** The footer of a page: its shortcuts, and the button that shows all of them. */
export function ShortcutFooter({ page, reads = false, children }: KeysFootProps) {
  const print = useKeyLines();
  const groups: readonly KeyGroup[] = PAGE_KEYS[page];
  const brief = groups
    .flatMap(({ lines }) => lines)
    .filter((line) => line.brief !== undefined && !(reads && line.needs === "decide"))
    .map((line) => ({ ...line, keys: line.keys.slice(0, line.brief) }));
  return (
    <footer className="flex h-7 items-center gap-4 overflow-hidden border-line-strong border-t bg-canvas px-3 text-11 whitespace-nowrap text-fg-3 max-md:hidden">
      {print(brief).map(({ keys, does }) => (
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
      <KeyboardHelp page={page} className="phone:hidden" />
    </footer>
  );
}
