"use client";

import { useTranslations } from "next-intl";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Link } from "@/components/ui/link.tsx";
import { isGoingOn, type Outcome, shareOf, type Transfer } from "./transfer.ts";
import { cancelTransfer } from "./transfers.ts";
import { useTransferWords } from "./use-transfer-words.ts";

/** A transfer: file, progress and result. */
export function TransferLine({ transfer }: { transfer: Transfer }) {
  const t = useTranslations("transfer");
  const words = useTransferWords();
  const share = shareOf(transfer);
  return (
    <div className="min-w-0 flex-1">
      <div className="flex min-h-6 items-center gap-1">
        <span className="min-w-0 flex-1 truncate font-medium" title={transfer.name}>
          {transfer.name}
        </span>
        {isGoingOn(transfer) && (
          <IconButton
            icon="close"
            name={t("cancel", { name: transfer.name })}
            onClick={() => cancelTransfer(transfer.id)}
          />
        )}
      </div>
      {transfer.stage === "running" && (
        <progress aria-label={transfer.name} value={share ?? undefined} className="progress my-1 block w-full" />
      )}
      {transfer.stage === "failed" ? (
        <p role="alert" className="break-words text-pretty">
          <span className="text-st-failed">{transfer.problem}</span>{" "}
          <span className="text-fg-2">{t(`failed.${transfer.kind}`)}</span>
        </p>
      ) : (
        <p className="text-fg-2 tabular-nums">{words(transfer)}</p>
      )}
      {transfer.kind === "import" && transfer.outcome && <Arrived outcome={transfer.outcome} />}
    </div>
  );
}

/** Links to some imported conversations. */
function Arrived({ outcome: { created, there, first } }: { outcome: Outcome }) {
  const t = useTranslations("transfer");
  const more = (created || there) - first.length;
  return (
    <p className="mt-0.5 flex flex-wrap gap-x-2 text-fg-2">
      {first.map((id) => (
        <Link
          key={id}
          href={`/conversations/${encodeURIComponent(id)}`}
          className="max-w-full truncate font-mono text-11 underline underline-offset-3 hover:text-fg"
        >
          {id}
        </Link>
      ))}
      {more > 0 && <span>{t("more", { count: more })}</span>}
    </p>
  );
}
