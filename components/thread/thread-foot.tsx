"use client";

import { useTranslations } from "next-intl";
import { flushSync } from "react-dom";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { focusBox, StudioBox } from "@/components/compose/studio-box.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";

/** The message box; at an earlier step, a button to the newest one. */
export function ThreadFoot() {
  const following = useStudio((state) => state.following);
  return (
    <footer className="flex-none border-line border-t bg-canvas px-3 py-2 text-fg-3">
      {following ? <Writing /> : <LookingBack />}
    </footer>
  );
}

function Writing() {
  if (useHasPermission("ingest")) return <StudioBox aside={<LiveMark />} />;
  return (
    <div className="flex min-h-6.75 items-center gap-2">
      <RequirePermission permission="ingest" otherwise="words" className="min-w-0 flex-1">
        {null}
      </RequirePermission>
      <LiveMark />
    </div>
  );
}

function LookingBack() {
  const t = useTranslations("thread");
  const at = useStudio((state) => state.at);
  const goLive = useStudio((state) => state.goLive);
  const jump = useStudio((state) => state.jump);
  const goToWrite = () => {
    flushSync(() => jump(goLive));
    focusBox();
  };
  return (
    <div className="flex min-h-6.75 items-center gap-2">
      <span className="min-w-0 flex-1 text-pretty tabular-nums">{t("replaying", { step: at })}</span>
      <Button onClick={goToWrite} aria-keyshortcuts="L">
        {t("goLive")}
      </Button>
    </div>
  );
}

/** The connection's state. */
function LiveMark() {
  const t = useTranslations("thread");
  const live = useStudio(({ connection }) => connection === "live");
  const dot = live ? "bg-st-succeeded outline-st-succeeded-bg" : "bg-line-control outline-sunken";
  return (
    <span className="inline-flex items-center gap-2 pl-0.75">
      <span aria-hidden className={`size-1.75 rounded-full outline-3 ${dot}`} />
      {live ? t("live") : t("notLive")}
    </span>
  );
}
