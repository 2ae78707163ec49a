"use client";

import { useTranslations } from "next-intl";
import { CompareLink } from "@/components/compare/compare-link.tsx";
import { ForkButton } from "@/components/fork/fork-button.tsx";
import { ForksMenu } from "@/components/fork/forks-menu.tsx";
import { SessionMap } from "@/components/graph/session-map/session-map.tsx";
import { InstanceSwitch } from "@/components/studio/header/instance-switch.tsx";
import { RunActions } from "@/components/studio/header/run-actions.tsx";
import { conversationName } from "@/components/studio/header/run-name.ts";
import { ShareButton } from "@/components/studio/header/share-button.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";

/** The map of the session, one card below another: a graph does not fit a phone. */
export function PhonePlan() {
  const t = useTranslations();
  const id = useStudio((state) => state.conversationId);
  const session = useStudio((state) => state.session);
  return (
    <section aria-label={t("studio.phone.plan")} className="flex h-full flex-col">
      <div className="flex h-13 flex-none items-center gap-1 fade-x overflow-x-auto border-line border-b bg-surface px-2">
        <InstanceSwitch />
        <RunActions />
        <span className="flex-1" />
        <ForksMenu />
        <ForkButton name={conversationName(session, null)} />
        <CompareLink id={id} />
        <ShareButton />
      </div>
      <SessionMap phone />
    </section>
  );
}
