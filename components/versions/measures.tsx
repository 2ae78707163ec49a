"use client";

import { useTranslations } from "next-intl";
import { listAddress } from "@/components/overview/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ComparedVersions } from "@/lib/api/shapes.ts";
import { type Compared, qualityOf, type Row, type Side } from "./use-rows.ts";

interface MeasuresProps {
  answer: ComparedVersions;
  compared: Compared;
  agent: string;
  rows: readonly Row[];
}

/** Each figure of both versions with its interval, and by how much it changed. */
export function Measures({ answer: { versions, from, to }, compared, agent, rows }: MeasuresProps) {
  const t = useTranslations("overview.versions");
  const words = useWords();
  const firstOf = (side: Side) => versions.find(({ version }) => version === compared.versions[side])?.first;
  const turnsOf = (side: Side) =>
    listAddress(
      { agent, version: compared.versions[side], model: "", channel: "", stage: "" },
      { happened: "turn", since: from, until: to },
    );
  return (
    <section className="tool-table versions-table" aria-label={t("title")} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("figure")}</th>
            {(["before", "after"] as const).map((side) => (
              <th key={side} scope="col">
                <b className="mono">{compared.versions[side]}</b>
                <small>
                  <Link href={turnsOf(side)}>{t("sides", { count: compared[side].conversations })}</Link>
                  {firstOf(side) !== undefined && ` · ${t("since", { time: words.month(firstOf(side) ?? "") })}`}
                </small>
              </th>
            ))}
            <th scope="col">{t("change")}</th>
            <th scope="col" className="versions-axis" />
            <th scope="col" className="versions-sure" />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} data-quality={qualityOf(row)}>
              <th scope="row">{row.label}</th>
              <td>
                <Figure row={row} side="before" />
              </td>
              <td>
                <Figure row={row} side="after" />
              </td>
              <td>{row.change && <b>{row.printChange(row.change.value)}</b>}</td>
              <td className="versions-axis">{row.change && <Axis change={row.change} print={row.printChange} />}</td>
              <td className="versions-sure">{row.change && t(row.change.sure ? "beyond" : "chance")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A figure with its interval; it leads to the conversations that it counts. */
function Figure({ row, side }: { row: Row; side: Side }) {
  const t = useTranslations("overview.versions");
  const words = useWords();
  const estimate = row[side];
  if (!estimate) return words.none;
  const link = row.link(side);
  const value = <b>{row.print(estimate.value)}</b>;
  return (
    <>
      {link === null ? value : <Link {...link}>{value}</Link>}
      <small>{t("interval", { from: row.print(estimate.from), to: row.print(estimate.to) })}</small>
    </>
  );
}

/** A change with its interval on an axis around zero. */
function Axis({ change, print }: { change: NonNullable<Row["change"]>; print: Row["printChange"] }) {
  const t = useTranslations("overview.versions");
  const reach = Math.max(Math.abs(change.from), Math.abs(change.to)) || 1;
  const x = (value: number) => `${50 + (value / reach) * 46}%`;
  const text = t("interval", { from: print(change.from), to: print(change.to) });
  return (
    <span className="versions-change" title={text}>
      <span className="sr-only">{text}</span>
      <i style={{ left: x(change.from), right: `calc(100% - ${x(change.to)})` }} />
      <u style={{ left: x(change.value) }} />
    </span>
  );
}
