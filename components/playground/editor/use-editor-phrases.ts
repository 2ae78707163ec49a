"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import type { Phrases } from "./editor-extensions.ts";

/** The editor's own English words, and their names in the messages. */
const WORDS = [
  ["Find", "find"],
  ["Replace", "replaceWith"],
  ["next", "next"],
  ["previous", "previous"],
  ["all", "all"],
  ["match case", "matchCase"],
  ["by word", "byWord"],
  ["regexp", "regexp"],
  ["replace", "replace"],
  ["replace all", "replaceAll"],
  ["close", "close"],
  ["Go to line", "goToLine"],
  ["go", "go"],
  ["Completions", "completions"],
  ["Diagnostics", "diagnostics"],
  ["No diagnostics", "noDiagnostics"],
  ["Fold line", "foldLine"],
  ["Unfold line", "unfoldLine"],
  ["unfold", "unfold"],
  ["folded code", "foldedCode"],
] as const;

/** The editor's words in the reader's language. */
export function useEditorPhrases(): Phrases {
  const t = useTranslations("playground.editor");
  return useMemo(() => Object.fromEntries(WORDS.map(([english, name]) => [english, t(name)])), [t]);
}
