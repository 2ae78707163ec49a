"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { copyText } from "@/components/ui/copy-text.ts";
import { Icon } from "@/components/ui/icon.tsx";
import type { Snippet } from "./snippets.ts";

/** A snippet with its description and a copy button. Long lines wrap. */
export function SnippetBlock({ snippet: { id, code } }: { snippet: Snippet }) {
  const t = useTranslations("connect.snippets");
  const title = t(`${id}.title`);
  return (
    <section aria-labelledby={`snippet-${id}`} className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 id={`snippet-${id}`} className="font-semibold text-13">
          {title}
        </h3>
        <CopyButton text={code} name={title} />
      </div>
      <p className="max-w-160 text-13 text-fg-2 leading-[var(--lh-body)] text-pretty">
        {t.rich(`${id}.text`, { code: (words) => <code className="font-mono text-11 text-fg">{words}</code> })}
      </p>
      <pre
        data-snippet={id}
        className="rounded-2 border border-line bg-sunken px-3 py-2.5 font-mono text-11 text-fg leading-4.5 break-words whitespace-pre-wrap"
      >
        {code}
      </pre>
    </section>
  );
}

interface CopyButtonProps {
  text: string;
  /** The snippet's title, for screen readers. */
  name: string;
}

/** Copies a text and reports whether it worked. */
function CopyButton({ text, name }: CopyButtonProps) {
  const t = useTranslations("connect.copy");
  const [outcome, setOutcome] = useState<{ text: string; done: boolean } | null>(null);
  const copy = () =>
    copyText(text).then(
      () => setOutcome({ text, done: true }),
      // The text can be selected instead.
      () => setOutcome({ text, done: false }),
    );
  // The address changed, so the snippet is not the copied one.
  const told = outcome?.text === text ? outcome : null;
  return (
    <span className="flex flex-none items-center gap-2">
      <span role="status" className={told && !told.done ? "text-12 text-st-failed" : "sr-only"}>
        {told && (told.done ? t("done", { name }) : t("failed"))}
      </span>
      <Button onClick={copy} aria-label={t("label", { name })}>
        <Icon name={told?.done ? "check" : "copy"} size={14} />
        {told?.done ? t("copied") : t("copy")}
      </Button>
    </span>
  );
}
