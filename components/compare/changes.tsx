"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Printed, pathName } from "@/components/agents/entry/value-changes.tsx";
import { printPath } from "@/lib/plan/reference.ts";
import { compareWords } from "@/lib/session/compare/messages.ts";
import type { Change } from "@/lib/session/json/diff.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { DifferenceMark, LOOK } from "./difference-mark.tsx";
import { MARK, Words } from "./words.tsx";

/** More rows would slow the page down, and nobody reads them one by one. */
const SHOWN = 200;

const STANDING = { add: "b", change: "changed", remove: "a" } as const;

interface ChangesProps {
  changes: readonly Change[];
  /** What is compared. */
  label: string;
  /** Each row is a difference for keyboard navigation. */
  stops?: boolean;
}

/** The differences, path by path, with the value of each side. */
export function Changes({ changes, label, stops = false }: ChangesProps) {
  const t = useTranslations("compare");
  return (
    <>
      <table className="@container block font-mono text-11 leading-[19px]">
        <caption className="sr-only">{label}</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">{t("place")}</th>
            <th scope="col">{t("side.a")}</th>
            <th scope="col">{t("side.b")}</th>
          </tr>
        </thead>
        <tbody className="flex flex-col gap-y-px">
          {changes.slice(0, SHOWN).map((change) => (
            <Row key={printPath(change.path)} change={change} stops={stops} />
          ))}
        </tbody>
      </table>
      {changes.length > SHOWN && (
        <p className="pt-1.5 text-fg-3">{t("moreChanges", { count: changes.length - SHOWN })}</p>
      )}
    </>
  );
}

function Row({ change: { path, kind, before, after }, stops }: { change: Change; stops: boolean }) {
  const t = useTranslations("compare");
  const standing = STANDING[kind];
  const name = pathName(path) || t("whole");
  const words = useMemo(() => wordsOf(before, after), [before, after]);
  // Where there is little room, a value that only one side has takes the room of both.
  const cell = `min-w-0 px-2 wrap-anywhere text-fg ${kind === "change" ? "" : "@max-[560px]:col-span-2"}`;
  return (
    <tr
      {...(stops && { "data-difference": true, tabIndex: -1 })}
      className={`grid grid-cols-[minmax(8rem,1fr)_minmax(0,1.6fr)_minmax(0,1.6fr)] rounded-1 py-0.5 outline-none focus-visible:shadow-focus @max-[560px]:grid-cols-2 ${LOOK[standing].ground}`}
    >
      <th
        scope="row"
        className="flex items-baseline pr-3 text-left font-normal wrap-anywhere text-fg @max-[560px]:col-span-2"
      >
        <DifferenceMark standing={standing} className="mr-1.5 ml-1" />
        {name}
      </th>
      <td className={cell}>
        {words ? <Words words={words.a} mark={MARK.a} /> : before !== undefined && <Printed value={before} />}
      </td>
      <td className={cell}>
        {words ? <Words words={words.b} mark={MARK.b} /> : after !== undefined && <Printed value={after} />}
      </td>
    </tr>
  );
}

/** Short texts show their different words, longer ones only their beginning. */
const WORDED = { least: 24, most: 1_000 };

/** The different words of two texts; null for other values, or texts with almost nothing in common. */
function wordsOf(before: Json | undefined, after: Json | undefined) {
  if (typeof before !== "string" || typeof after !== "string") return null;
  const longer = Math.max(before.length, after.length);
  if (longer < WORDED.least || longer > WORDED.most) return null;
  const words = compareWords(before, after);
  return [...words.a, ...words.b].some(({ changed }) => !changed) ? words : null;
}
