"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Failed } from "@/components/admin/failed.tsx";
import { TABLE, TABLE_CELL, TABLE_HEAD } from "@/components/admin/table.ts";
import { actorName } from "@/components/agents/actor-name.ts";
import { AgoTime } from "@/components/list/now.tsx";
import type { Erasure } from "@/lib/api/shapes.ts";
import { useErasures } from "./use-erasures.ts";

/** The part of a receipt that is shown. */
const SHOWN_RECEIPT = 12;

/** The erasures with their status and receipts. */
export function Erasures() {
  const t = useTranslations("data.erasures");
  const heading = useId();
  const erasures = useErasures();
  return (
    <section aria-labelledby={heading} className="mt-9">
      <h2 id={heading} className="mb-2 font-semibold text-13">
        {t("title")}
      </h2>
      <Failed error={erasures.error} onRetry={() => void erasures.refetch()} />
      {erasures.data?.length === 0 && <p className="text-12 text-fg-2 leading-5">{t("none")}</p>}
      {erasures.data && erasures.data.length > 0 && <ErasureTable erasures={erasures.data} />}
    </section>
  );
}

function ErasureTable({ erasures }: { erasures: readonly Erasure[] }) {
  const t = useTranslations("data.erasures");
  return (
    <div className="overflow-x-auto">
      <table className={TABLE}>
        <caption className="sr-only">{t("title")}</caption>
        <thead>
          <tr>
            <th className={TABLE_HEAD}>{t("what")}</th>
            <th className={TABLE_HEAD}>{t("phase")}</th>
            <th className={TABLE_HEAD}>{t("counts")}</th>
            <th className={TABLE_HEAD}>{t("requested")}</th>
            <th className={`${TABLE_HEAD} pr-0!`}>{t("receipt")}</th>
          </tr>
        </thead>
        <tbody>
          {erasures.map((erasure) => (
            <ErasureRow key={erasure.id} of={erasure} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ErasureRow({ of: erasure }: { of: Erasure }) {
  const t = useTranslations("data.erasures");
  const isDone = erasure.phase === "finished";
  return (
    <tr data-phase={erasure.phase} className="hover:bg-hover">
      <th scope="row" className={`${TABLE_CELL} min-w-36 font-normal wrap-anywhere`}>
        {t(`kinds.${erasure.kind}`)} {erasure.target !== null && <span className="font-medium">{erasure.target}</span>}
      </th>
      <td className={`${TABLE_CELL} whitespace-nowrap`} aria-live="polite">
        <span className={isDone ? "text-st-succeeded" : "text-st-running"}>{t(`phases.${erasure.phase}`)}</span>
      </td>
      <td className={`${TABLE_CELL} whitespace-nowrap tabular-nums`}>
        {t("counted", { conversations: erasure.conversations, events: erasure.events })}
      </td>
      <td className={`${TABLE_CELL} whitespace-nowrap tabular-nums`}>
        <AgoTime at={erasure.requested_at} />
        <span className="block max-w-40 truncate text-11 text-fg-3">{actorName(erasure.requested_by)}</span>
      </td>
      <td className={`${TABLE_CELL} pr-0! font-mono text-11 whitespace-nowrap`} title={erasure.receipt}>
        {erasure.receipt.slice(0, SHOWN_RECEIPT)}…
      </td>
    </tr>
  );
}
