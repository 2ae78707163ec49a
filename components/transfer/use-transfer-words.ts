import { useFormatter, useTranslations } from "next-intl";
import type { ExportTransfer, ImportTransfer, Transfer } from "./transfer.ts";

const MEGABYTE = 1_000_000;

/** A transfer's progress or result as a sentence. */
export function useTransferWords(): (transfer: Transfer) => string {
  const t = useTranslations("transfer");
  const format = useFormatter();
  const megabytes = (bytes: number) =>
    format.number(bytes / MEGABYTE, {
      style: "unit",
      unit: "megabyte",
      maximumFractionDigits: bytes < 10 * MEGABYTE ? 1 : 0,
    });

  const importing = ({ state, sent, size, outcome }: ImportTransfer): string => {
    if (outcome) {
      const { created, events, there } = outcome;
      return t("done", { created, events, there });
    }
    if (state?.phase === "waiting") return t("waiting");
    if (state?.phase === "storing") return t("storing", { stored: state.stored, events: state.events });
    return t("reading", {
      sent: megabytes(sent),
      size: megabytes(size),
      conversations: state?.conversations ?? 0,
      events: state?.events ?? 0,
    });
  };
  const exporting = ({ stage, bytes, conversations, total }: ExportTransfer): string =>
    stage === "done"
      ? t("saved", { conversations, bytes: megabytes(bytes) })
      : t("writing", { conversations, total: total ?? 0, bytes: megabytes(bytes) });

  return (transfer) => {
    if (transfer.stage === "queued") return t("queued");
    if (transfer.stage === "cancelled") return t(`cancelled.${transfer.kind}`);
    return transfer.kind === "import" ? importing(transfer) : exporting(transfer);
  };
}
