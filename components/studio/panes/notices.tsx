"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { withAt } from "@/components/replay/address.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { useStudio } from "../use-studio.ts";

/** Notices about the page, over the graph, so that they move nothing. */
export function Notices({ badAt }: { badAt: string | null }) {
  return (
    <div className="pointer-events-none absolute inset-x-0 top-[calc(var(--h-toolbar)+8px)] z-10 flex flex-col items-center gap-2 px-6 *:pointer-events-auto">
      <BadStep badAt={badAt} />
      <LostConnection />
      <FailedLoad />
    </div>
  );
}

/** The address has an invalid step: shows the valid range until the reader goes to one. */
function BadStep({ badAt }: { badAt: string | null }) {
  const t = useTranslations("studio.badStep");
  const last = useStudio((state) => state.last);
  const pathname = usePathname();
  const search = useSearchParams();
  const goLive = useStudio((state) => state.goLive);
  if (badAt === null || search.get("at") !== badAt) return null;
  const address = `${pathname}${withAt(search.toString(), null)}`;
  return (
    <Notice icon="warn" ink="text-st-waiting">
      <span className="wrap-anywhere">{t("text", { at: badAt, last })}</span>
      <a
        href={address}
        onClick={(event) => {
          event.preventDefault();
          goLive();
          window.history.replaceState(null, "", address);
        }}
        className="flex-none font-medium text-fg underline underline-offset-3"
      >
        {t("link", { last })}
      </a>
    </Notice>
  );
}

function LostConnection() {
  const t = useTranslations("studio.connection");
  const connection = useStudio((state) => state.connection);
  if (connection !== "reconnecting" && connection !== "offline") return null;
  const isOffline = connection === "offline";
  return (
    <Notice icon="unreachable" ink={isOffline ? "text-st-failed" : "text-st-waiting"}>
      {t(connection)}
    </Notice>
  );
}

function FailedLoad() {
  const t = useTranslations("common");
  const failure = useStudio((state) => state.failure);
  const loading = useStudio((state) => state.loading);
  const retry = useStudio((state) => state.retry);
  // The connection notice already explains it.
  const isConnected = useStudio(({ connection }) => connection === "live" || connection === "connecting");
  if (failure === null || !isConnected) return null;
  return (
    <Notice icon="failed" ink="text-st-failed">
      <span className="wrap-anywhere">{failure}</span>
      <Button onClick={retry} disabled={loading}>
        {t("retry")}
      </Button>
    </Notice>
  );
}

function Notice({ icon, ink, children }: { icon: IconName; ink: string; children: ReactNode }) {
  return (
    <div
      role="status"
      className="flex min-h-8.5 max-w-180 items-center gap-2 rounded-2 border border-line-strong bg-raised px-3 py-1 shadow-2"
    >
      <Icon name={icon} className={ink} />
      {children}
    </div>
  );
}
