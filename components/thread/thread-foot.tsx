"use client";

import { useTranslations } from "next-intl";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";

/** Whether the thread is live or a replay, and the way back. */
export function ThreadFoot() {
  const t = useTranslations("thread");
  const following = useStudio((state) => state.following);
  const connection = useStudio((state) => state.connection);
  const goLive = useStudio((state) => state.goLive);
  return (
    <footer className="flex min-h-10.75 flex-none items-center gap-2 border-line border-t bg-canvas px-3 text-fg-3">
      {following ? (
        <LiveMark live={connection === "live"}>{connection === "live" ? t("live") : t("notLive")}</LiveMark>
      ) : (
        <>
          <span className="min-w-0 flex-1 truncate">{t("replaying")}</span>
          <Button onClick={goLive} aria-keyshortcuts="L">
            {t("goLive")}
          </Button>
        </>
      )}
    </footer>
  );
}

function LiveMark({ live, children }: { live: boolean; children: string }) {
  const dot = live ? "bg-st-succeeded outline-st-succeeded-bg" : "bg-line-control outline-sunken";
  return (
    <span className="inline-flex items-center gap-2 pl-0.75">
      <span aria-hidden className={`size-1.75 rounded-full outline-3 ${dot}`} />
      {children}
    </span>
  );
}
