"use client";

import { useTranslations } from "next-intl";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { isSubmitKey } from "@/components/keys/submit-key.ts";
import { Button } from "@/components/ui/button.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { useInputBeforeHydration } from "./use-input-before-hydration.ts";

/** The maximum length of a message. */
const LIMIT = 100_000;
/** From this length on, the remaining characters are shown. */
const NEAR = 90_000;

interface BoxProps {
  text: string;
  /** The field's accessible name and its placeholder. */
  label: string;
  /** The button's label. */
  send: string;
  /** Why nothing can be sent, as a sentence; the text can still be edited. */
  obstacle: string | null;
  /** Sending is disabled for a moment: a message is being sent, or the agent is not known yet. */
  busy: boolean;
  /** Content below the text, before the button. */
  aside?: ReactNode;
  id?: string;
  autoFocus?: boolean;
  onWrite: (text: string) => void;
  onSend: () => void;
}

/** A text field that grows with its text: Enter sends, Shift+Enter adds a line. */
export function Box({ text, label, send, obstacle, busy, aside, onWrite, onSend, ...field }: BoxProps) {
  const t = useTranslations("compose");
  const area = useRef<HTMLTextAreaElement>(null);
  const over = text.length - LIMIT;
  const why = over > 0 ? t("tooLong", { count: over }) : obstacle;
  const ready = why === null && !busy && text.trim() !== "";

  useInputBeforeHydration(area, text, onWrite);

  const submit = () => {
    area.current?.focus();
    if (ready) onSend();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") area.current?.blur();
    if (!isSubmitKey(event)) return;
    event.preventDefault();
    submit();
  };

  return (
    <form
      className="rounded-2 border border-line-control bg-surface focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <textarea
        ref={area}
        rows={1}
        enterKeyHint="send"
        aria-label={label}
        aria-invalid={over > 0 || undefined}
        placeholder={label}
        value={text}
        onChange={(event) => onWrite(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content block max-h-60 min-h-8.5 w-full resize-none bg-transparent px-2.5 pt-1.75 pb-1 text-13 placeholder:truncate leading-[var(--lh-body)] text-fg outline-none focus-visible:shadow-none"
        {...field}
      />
      <p
        role="status"
        className={`px-2.5 text-11 text-pretty tabular-nums ${why === null ? "text-fg-3" : "text-st-failed"}`}
      >
        {why ?? (text.length >= NEAR ? t("left", { count: -over }) : "")}
      </p>
      <div className="flex min-h-8 items-center gap-2 pr-1 pb-1 pl-2.5 text-11 text-fg-3">
        <div className="min-w-0 flex-1">{aside}</div>
        <Button type="submit" variant="primary" disabled={!ready} title={t("keys")} className="text-12">
          {send}
          <Kbd className="border-current! bg-transparent! text-inherit!">↵</Kbd>
        </Button>
      </div>
    </form>
  );
}
