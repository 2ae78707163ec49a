"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type RefObject, useRef, useState } from "react";
import { EDITOR_ID } from "../ids.ts";
import { typeInto } from "./text-field.ts";

/** Available placeholders; for those with a dot the path is typed. */
const PLACEHOLDERS = [
  "messageHistory",
  "userId",
  "householdId",
  "currentTime",
  "timezone",
  "stateSummary",
  "memory",
  "memory.",
  "state",
  "state.",
  "configuration",
  "configuration.",
  "warnings",
  "tools",
] as const;

/** A stand-in for the typed path. */
const PATH = "path";

/** The message key of a placeholder's description. */
function wordsOf(name: (typeof PLACEHOLDERS)[number]) {
  switch (name) {
    case "memory.":
      return "memoryPath";
    case "state.":
      return "statePath";
    case "configuration.":
      return "configurationPath";
    default:
      return name;
  }
}

/** Buttons that insert placeholders at the caret; arrow keys move between them. */
export function PlaceholderBar({ field }: { field: RefObject<HTMLTextAreaElement | null> }) {
  const t = useTranslations("workbench.placeholders");
  const bar = useRef<HTMLDivElement>(null);
  const [stop, setStop] = useState(0);

  const insert = (name: string) => {
    const { current } = field;
    if (!current) return;
    const { selectionStart: start, selectionEnd: end } = current;
    const isPath = name.endsWith(".");
    typeInto(current, { start, end }, `{{${name}${isPath ? PATH : ""}}}`);
    const path = start + name.length + 2;
    if (isPath) current.setSelectionRange(path, path + PATH.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = (stop + step + PLACEHOLDERS.length) % PLACEHOLDERS.length;
    setStop(next);
    bar.current?.querySelectorAll("button")[next]?.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t("label")}
      aria-controls={EDITOR_ID}
      onKeyDown={onKeyDown}
      className="flex flex-none flex-wrap gap-1 border-line border-b bg-canvas px-2.5 py-1.5"
    >
      {PLACEHOLDERS.map((name, index) => (
        <button
          key={name}
          type="button"
          tabIndex={index === stop ? 0 : -1}
          title={t(`does.${wordsOf(name)}`)}
          onFocus={() => setStop(index)}
          onClick={() => insert(name)}
          className="inline-flex h-6 phone:h-11 items-center rounded-1 border border-line-strong bg-surface px-1.5 font-mono text-11 text-fg-2 hover:bg-hover hover:text-fg"
        >
          {name.endsWith(".") ? `${name}…` : name}
        </button>
      ))}
    </div>
  );
}
