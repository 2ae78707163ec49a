import { useTranslations } from "next-intl";
import { useReasonText } from "@/components/format/use-reason-text.ts";
import { STATUS, STATUS_INK, type Status } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Confirmation, MemoryDocument } from "@/lib/memory/document.ts";
import { ActionParams } from "./action-params.tsx";
import { markRecord } from "./marks.ts";
import { Moment } from "./moment.tsx";
import { Entry, Section } from "./section.tsx";

interface ConfirmationsProps {
  document: MemoryDocument;
  before: MemoryDocument | null;
  now: Date;
}

/** When a person is reminded (M10), ms. */
const OVERDUE = 24 * 60 * 60 * 1_000;

const LOOK = { requested: "waiting", approved: "succeeded", denied: "denied" } as const satisfies Record<
  Confirmation["status"],
  Status
>;

/** Confirmations and their decisions (M9), pending ones first, then newest first. */
export function Confirmations({ document, before, now }: ConfirmationsProps) {
  const t = useTranslations("memory");
  const rows = markRecord(before?.confirmations ?? null, document.confirmations).sort(
    ([, { entry: a }], [, { entry: b }]) =>
      Number(b.status === "requested") - Number(a.status === "requested") ||
      Date.parse(b.requested_at) - Date.parse(a.requested_at),
  );
  return (
    <Section title={t("confirmations")} count={rows.length}>
      {rows.map(([key, { entry, mark }]) => (
        <Entry key={key} mark={mark}>
          <Row id={key} confirmation={entry} now={now} />
        </Entry>
      ))}
    </Section>
  );
}

function Row({ id, confirmation, now }: { id: string; confirmation: Confirmation; now: Date }) {
  const t = useTranslations("memory");
  const told = useReasonText();
  const { status, description, reason, action, requested_at, approved_at, denied_at } = confirmation;
  const look = LOOK[status];
  const isOverdue = status === "requested" && now.getTime() - Date.parse(requested_at) > OVERDUE;
  const decidedAt = status === "approved" ? approved_at : denied_at;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-1.5">
        <StatusIcon status={look} size={14} />
        <span className={`font-medium ${STATUS_INK[STATUS[look].token]}`}>{t(`status.${status}`)}</span>
        {isOverdue && <span className="text-st-failed">{t("overdue")}</span>}
        {status === "approved" && action.confirmed === true && <span className="text-fg-3">{t("used")}</span>}
        <Moment at={decidedAt ?? requested_at} className="ml-auto text-11 text-fg-3" />
      </p>
      <p className="text-13 leading-[var(--lh-body)] text-pretty wrap-anywhere">{description}</p>
      {reason && <p className="text-pretty text-fg-2 wrap-anywhere">{t("reason", { reason: told(reason) })}</p>}
      <ActionParams method={action.method} params={action.params} aside={id} />
    </>
  );
}
