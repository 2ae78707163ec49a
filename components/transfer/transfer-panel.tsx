"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { isGoingOn, type Transfer } from "./transfer.ts";
import { TransferLine } from "./transfer-line.tsx";
import { dismissTransfers } from "./transfers.ts";

/** The transfers in a corner of the page, or minimized. */
export function TransferPanel({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useTranslations("transfer");
  const [isSmall, setSmall] = useState(false);
  const open = transfers.filter(isGoingOn).length;
  const title = open > 0 ? t("title.busy", { count: open }) : t("title.over");
  return (
    <section
      aria-label={t("title.label")}
      className={`fixed right-3 bottom-9 z-5 flex max-h-[min(420px,60dvh)] max-w-[calc(100vw-24px)] flex-col rounded-3 border border-line-strong bg-raised text-12 shadow-3 ${isSmall ? "" : "w-90"}`}
    >
      <div className="flex flex-none items-center gap-2 py-1 pr-1 pl-3">
        <h2 className="min-w-0 flex-1 truncate font-semibold">
          <span role="status">{title}</span>
        </h2>
        <IconButton
          icon={isSmall ? "up" : "down"}
          name={t(isSmall ? "show" : "hide")}
          onClick={() => setSmall(!isSmall)}
        />
        {open === 0 && <IconButton icon="close" name={t("dismiss")} onClick={dismissTransfers} />}
      </div>
      {!isSmall && (
        <ul className="min-h-0 overflow-y-auto border-line border-t">
          {transfers.map((transfer) => (
            <li key={transfer.id} className="flex gap-2 border-line border-b px-3 py-2 last:border-b-0">
              <Icon
                name={transfer.kind === "import" ? "import" : "export"}
                size={14}
                className="mt-0.75 flex-none text-fg-3"
              />
              <TransferLine transfer={transfer} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
