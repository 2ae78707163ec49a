"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { Moment } from "@/components/memory/moment.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import { printPath } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";
import { actorName } from "../actor-name.ts";
import { SaveError } from "./save-error.tsx";
import { type ThreeWayRow, threeWay } from "./three-way.ts";
import { Printed, pathName } from "./value-changes.tsx";

interface ConflictProps {
  /** The base version; null for none. */
  base: { version: number; value: Json } | null;
  /** The stored version; null when deleted. */
  theirs: AgentStateVersion | null;
  /** Undefined while loading, or when deleted. */
  theirValue: Json | undefined;
  /** Undefined while the text is not valid JSON. */
  mine: Json | undefined;
  busy: boolean;
  error: Error | null;
  onTheirs: () => void;
  onMine: () => void;
  onGoOn: () => void;
}

/** More rows would slow the page down, and nobody reads them one by one. */
const SHOWN = 200;

/** The conflict of an edit: base, stored and edited value, path by path. */
export function Conflict(props: ConflictProps) {
  const { base, theirs, theirValue, mine, busy, error, onTheirs, onMine, onGoOn } = props;
  const t = useTranslations("agents.conflict");
  const isLoading = theirs !== null && theirValue === undefined;
  const rows = useMemo(() => threeWay(base?.value, theirValue, mine), [base, theirValue, mine]);
  const clashes = rows.filter(({ by }) => by === "both").length;
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div role="alert" className="flex-none border-line border-b bg-chg-bg px-4 py-2.5">
        <h3 className="flex items-center gap-1.5 text-13 font-semibold">
          <Icon name="warn" className="text-chg" />
          {theirs ? t("title") : t("titleDeleted")}
        </h3>
        <p className="mt-0.5 pl-5.5 text-pretty text-fg-2">
          {theirs
            ? t.rich("who", {
                version: theirs.version,
                who: actorName(theirs.actor) ?? t("somebody"),
                at: () => <Moment at={theirs.at} />,
              })
            : t("whoDeleted")}{" "}
          {mine === undefined ? t("noJson") : clashes > 0 ? t("clashes", { count: clashes }) : t("apart")}
        </p>
      </div>
      <div className="min-h-0 flex-1 overflow-auto px-4 py-2" tabIndex={0}>
        {isLoading ? (
          <p role="status" className="text-fg-3">
            {t("loading")}
          </p>
        ) : (
          <Table rows={rows} base={base} theirs={theirs} hasMine={mine !== undefined} />
        )}
      </div>
      <div className="flex flex-none flex-wrap items-center gap-2 border-line-strong border-t px-4 py-2">
        <Button variant="primary" disabled={busy} onClick={onGoOn}>
          {t("goOn")}
        </Button>
        <Button disabled={busy} onClick={onTheirs}>
          {t("takeTheirs")}
        </Button>
        <Button variant="danger" disabled={busy || isLoading || mine === undefined} onClick={onMine}>
          {t("saveMine")}
        </Button>
        <SaveError error={error} />
      </div>
    </div>
  );
}

interface TableProps extends Pick<ConflictProps, "base" | "theirs"> {
  rows: readonly ThreeWayRow[];
  hasMine: boolean;
}

function Table({ rows, base, theirs, hasMine }: TableProps) {
  const t = useTranslations("agents.conflict");
  if (rows.length === 0) return <p className="text-fg-3">{t("same")}</p>;
  return (
    <table className="w-full min-w-150 table-fixed border-separate border-spacing-0 text-left">
      <thead>
        <tr className="text-11 text-fg-3 *:border-line *:border-b *:px-2 *:py-1 *:font-normal">
          <th scope="col" className="w-1/5">
            {t("place")}
          </th>
          <th scope="col">{base ? t("base", { version: base.version }) : t("baseNone")}</th>
          <th scope="col">{theirs ? t("theirs", { version: theirs.version }) : t("theirsNone")}</th>
          {hasMine && <th scope="col">{t("mine")}</th>}
        </tr>
      </thead>
      <tbody className="align-top font-mono text-11 leading-[19px]">
        {rows.slice(0, SHOWN).map((row) => (
          <tr key={printPath(row.path)} className="*:border-line *:border-b *:px-2 *:py-1">
            <th scope="row" className="font-normal wrap-anywhere">
              {pathName(row.path) || t("whole")}
              {row.by === "both" && <span className="block font-sans text-11 text-chg">{t("bothChanged")}</span>}
            </th>
            <Cell value={row.base} />
            <Cell value={row.theirs} changed={row.by !== "mine"} />
            {hasMine && <Cell value={row.mine} changed={row.by !== "theirs"} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ value, changed = false }: { value: Json | undefined; changed?: boolean }) {
  const t = useTranslations("agents.conflict");
  return (
    <td className={`wrap-anywhere ${changed ? "bg-chg-bg text-fg" : "text-fg-3"}`}>
      {changed && <span className="sr-only">{t("changed")} </span>}
      {value === undefined ? <span className="font-sans text-fg-3">{t("absent")}</span> : <Printed value={value} />}
    </td>
  );
}
