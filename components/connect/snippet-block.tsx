"use client";

import { useTranslations } from "next-intl";
import { CopyButton } from "./copy-button.tsx";
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
