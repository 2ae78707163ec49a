"use client";

import { useTranslations } from "next-intl";
import { useCaller } from "@/components/access/caller-provider.tsx";
import { may } from "@/lib/access/caller.ts";
import type { KeyGroup, KeyLine } from "./pages.ts";
import { printedKey, shortcutOf } from "./shortcuts.ts";

/** A line of the help: the printed keys and their meaning. */
export interface PrintedLine {
  keys: readonly string[];
  does: string;
}

/** Formats the lines that the caller is permitted to use. */
export function useKeyLines(): (lines: KeyGroup["lines"]) => PrintedLine[] {
  const t = useTranslations();
  const caller = useCaller();
  const isAllowed = ({ keys, needs = "public" }: KeyLine) =>
    may(caller, needs) &&
    keys.every((key) => typeof key !== "string" || may(caller, shortcutOf(key).needs ?? "public"));
  return (lines) =>
    lines.filter(isAllowed).map(({ keys, does }) => ({
      keys: keys.map((key) => (typeof key === "string" ? printedKey(key) : key.printed)),
      does: t(does),
    }));
}
