import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import type { DoneEntry, MemoryDocument } from "@/lib/memory/document.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { markList } from "./marks.ts";
import { Moment } from "./moment.tsx";
import { Entry, Section } from "./section.tsx";

/** The number of entries shown by default. */
const SHOWN = 8;

interface DoneProps {
  document: MemoryDocument;
  before: MemoryDocument | null;
}

/** Completed actions (M6), newest first. */
export function Done({ document, before }: DoneProps) {
  const t = useTranslations("memory");
  const [whole, setWhole] = useState(false);
  const entries = markList(before?.done ?? null, document.done).reverse();
  const shown = whole ? entries : entries.slice(0, SHOWN);
  return (
    <Section title={t("done")} count={entries.length}>
      {shown.map(({ entry, mark }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may have been done twice in one moment
        <Entry key={index} mark={mark}>
          <Row entry={entry} />
        </Entry>
      ))}
      {shown.length < entries.length && (
        <li className="px-2 pt-1">
          <Button onClick={() => setWhole(true)}>{t("allDone", { count: entries.length - shown.length })}</Button>
        </li>
      )}
    </Section>
  );
}

function Row({ entry: { timestamp, description, object_ids } }: { entry: DoneEntry }) {
  const ids = Object.entries(object_ids).filter(([, id]) => id !== null);
  return (
    <>
      <p className="text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">{description}</p>
      <p className="flex flex-wrap items-center gap-x-2 text-11 text-fg-3">
        <Moment at={timestamp} />
        {ids.map(([name, id]) => (
          <span key={name} className="font-mono">
            {name.replace(/_id$/, "")} <span className="text-fg-2">{printId(id)}</span>
          </span>
        ))}
      </p>
    </>
  );
}

function printId(id: Json): string {
  return typeof id === "string" ? id : JSON.stringify(id);
}
