"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { printPath } from "@/lib/plan/reference.ts";
import { type Change, diffValues } from "@/lib/session/json/diff.ts";
import type { Json } from "@/lib/session/json/json.ts";

/** More rows would slow the page down, and nobody reads them one by one. */
const SHOWN = 200;

/** The differences between two values, path by path. */
export function ValueChanges({ before, after }: { before: Json | undefined; after: Json | undefined }) {
  const t = useTranslations("agents.changes");
  const changes = useMemo(() => diffValues(before, after), [before, after]);
  if (changes.length === 0) return <p className="text-fg-3">{t("none")}</p>;
  return (
    <>
      <ul className="grid grid-cols-[18px_fit-content(38%)_minmax(0,1fr)] gap-y-px font-mono text-11 leading-[19px]">
        {changes.slice(0, SHOWN).map((change) => (
          <Row key={printPath(change.path)} change={change} />
        ))}
      </ul>
      {changes.length > SHOWN && <p className="pt-2 text-fg-3">{t("more", { count: changes.length - SHOWN })}</p>}
    </>
  );
}

const LOOK = {
  add: { sign: "+", ground: "bg-add-bg", ink: "text-add" },
  change: { sign: "~", ground: "bg-chg-bg", ink: "text-chg" },
  remove: { sign: "−", ground: "bg-del-bg", ink: "text-del" },
} as const satisfies Record<Change["kind"], object>;

function Row({ change: { path, kind, before, after } }: { change: Change }) {
  const t = useTranslations("agents.changes");
  const { sign, ground, ink } = LOOK[kind];
  const isShort = [before, after].every((value) => value === undefined || printed(value).length <= LINE);
  return (
    <li className={`col-span-3 grid grid-cols-subgrid items-baseline rounded-1 py-0.5 pr-2 ${ground}`}>
      <span className={`pl-1.5 font-bold ${ink}`}>
        <span aria-hidden>{sign}</span>
        <span className="sr-only">{t(kind)}</span>
      </span>
      <span className="pr-5 text-fg wrap-anywhere">{pathName(path) || t("whole")}</span>
      <span className={`min-w-0 ${isShort ? "" : "flex flex-col gap-1"}`}>
        {before !== undefined && (
          <del className={`wrap-anywhere ${kind === "change" ? "text-fg-3" : "text-del"} ${isShort ? "" : "block"}`}>
            <Printed value={before} />
          </del>
        )}
        {kind === "change" && isShort && <span className="text-fg-3"> → </span>}
        {after !== undefined && (
          <ins className={`wrap-anywhere text-fg no-underline ${isShort ? "" : "block"}`}>
            <Printed value={after} />
          </ins>
        )}
      </span>
    </li>
  );
}

/** Old and new are side by side while both fit in a line. */
const LINE = 36;

/** Longer values are truncated; the JSON view shows them in full. */
const LONGEST = 1_200;

/** A value as JSON, on as many lines as it needs. */
export function Printed({ value }: { value: Json }) {
  const text = printed(value);
  return (
    <span className="whitespace-pre-wrap">
      {text.slice(0, LONGEST)}
      {text.length > LONGEST && <span className="text-fg-3">…</span>}
    </span>
  );
}

function printed(value: Json): string {
  const line = JSON.stringify(value);
  return line.length <= LINE * 2 ? line : JSON.stringify(value, null, 2);
}

/** A path without its leading dot. */
export function pathName(path: Change["path"]): string {
  return printPath(path).replace(/^\./, "");
}
