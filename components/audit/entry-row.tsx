"use client";

import { useFormatter, useTranslations } from "next-intl";
import { memo } from "react";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { AuditEntry } from "@/lib/api/shapes.ts";
import { changesOf, NOTHING } from "./changes.ts";
import { EntryDetails } from "./entry-details.tsx";
import { targetOf } from "./target.ts";
import { useActionWords } from "./use-action-words.ts";
import { useEntryWords } from "./use-entry-words.ts";

/** The id of an entry's button, for keyboard navigation. */
export const entryButtonId = (id: number) => `entry-${id}`;

interface EntryRowProps {
  entry: AuditEntry;
  index: number;
  open: boolean;
  onToggle: (id: number) => void;
  onFocus: (id: number) => void;
}

/** An audit entry: time, actor, action, change and address. */
export const EntryRow = memo(function EntryRow({ entry, index, open, onToggle, onFocus }: EntryRowProps) {
  const t = useTranslations("audit");
  const format = useFormatter();
  const { toldOf } = useActionWords();
  const { whoIs } = useEntryWords();
  const at = new Date(entry.at);
  const words = toldOf(entry);
  const details = `details-${entry.id}`;
  return (
    <>
      <tr aria-rowindex={index + 2} className="audit-grid audit-row border-line border-b text-12">
        <td>
          <button
            id={entryButtonId(entry.id)}
            type="button"
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            aria-label={t("details.of", { what: words, who: whoIs(entry.actor) })}
            onClick={() => onToggle(entry.id)}
            onFocus={() => onFocus(entry.id)}
            className="grid size-5 touch place-items-center rounded-1 text-fg-3 outline-none"
          >
            <Icon name={open ? "down" : "right"} size={12} />
          </button>
        </td>
        <td className="text-fg-2 whitespace-nowrap tabular-nums">
          <time
            dateTime={entry.at}
            title={format.dateTime(at, { dateStyle: "full", timeStyle: "long", hour12: false })}
          >
            {format.dateTime(at, {
              day: "numeric",
              month: "short",
              hour: "2-digit",
              minute: "2-digit",
              second: "2-digit",
            })}
          </time>
        </td>
        <td className="flex min-w-0 items-center gap-1.5">
          <Icon name={lookOf(entry.actor)} size={14} className="flex-none text-fg-3" />
          <span className="truncate font-medium">{whoIs(entry.actor)}</span>
        </td>
        <td className="what flex min-w-0 items-baseline gap-1.5 max-sm:flex-wrap">
          <span className={`flex-none whitespace-nowrap ${isRefusal(entry) ? "text-st-failed" : ""}`}>{words}</span>
          <TargetLink entry={entry} />
        </td>
        <td className="minor min-w-0 truncate text-11 text-fg-2">
          <Brief entry={entry} />
        </td>
        <td className="minor min-w-0 truncate font-mono text-11 text-fg-3">{entry.address}</td>
      </tr>
      {open && (
        <tr className="block border-line border-b bg-sunken">
          <td id={details} className="block">
            <EntryDetails entry={entry} />
          </td>
        </tr>
      )}
    </>
  );
});

function isRefusal({ action }: AuditEntry): boolean {
  return action === "sign_in_refused";
}

function lookOf(actor: string): IconName {
  if (actor.startsWith("key:")) return "api";
  return actor.startsWith("operator:") ? "manager" : "screen";
}

/** The entry's target, as a link where it has a page. */
function TargetLink({ entry }: { entry: AuditEntry }) {
  const t = useTranslations("audit");
  const target = targetOf(entry);
  if (entry.erased) return <span className="text-fg-3 italic">{t("erased")}</span>;
  if (!target) return null;
  const look = "min-w-0 truncate font-mono text-11";
  if (target.href === null) return <span className={`${look} text-fg-2`}>{target.id}</span>;
  return (
    <Link href={target.href} title={target.id} className={`${look} rounded-1 text-accent hover:underline`}>
      {target.id}
    </Link>
  );
}

/** The changes in one line, without empty values. The conversation is linked in the details instead. */
function Brief({ entry }: { entry: AuditEntry }) {
  const { fieldName } = useEntryWords();
  const changes = changesOf(entry).filter(
    ({ name, before, after }) =>
      name !== "conversation_id" && !(before === null && (after === NOTHING || after === "")),
  );
  return changes.map(({ name, before, after }, index) => (
    <span key={name}>
      {index > 0 && " · "}
      <span className="text-fg-3">{fieldName(name)}</span>{" "}
      {[before, after].filter((value) => value !== null).join(" → ")}
    </span>
  ));
}
