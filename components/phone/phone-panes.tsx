"use client";

import "./phone.css";
import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { type ComponentType, useEffect } from "react";
import { isAskedToWrite } from "@/components/compose/studio-box.tsx";
import { PHONE_PANES, type PhonePane, useSelection } from "@/components/selection/use-selection.ts";
import { Notices } from "@/components/studio/panes/notices.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { ThreadPane } from "@/components/thread/thread-pane.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";

const Inspector = dynamic(() => import("@/components/inspector/inspector.tsx").then((room) => room.Inspector), {
  loading: () => null,
});
const Timeline = dynamic(() => import("@/components/timeline/timeline.tsx").then((room) => room.Timeline), {
  loading: () => null,
});
const PhonePlan = dynamic(() => import("./phone-plan.tsx").then((room) => room.PhonePlan), {
  loading: () => null,
});

const PANES: Record<PhonePane, { icon: IconName; Pane: ComponentType }> = {
  thread: { icon: "thread", Pane: ThreadPane },
  plan: { icon: "delegate", Pane: PhonePlan },
  call: { icon: "api", Pane: Inspector },
  time: { icon: "clock", Pane: Timeline },
};

const ID = "phone";

/** The studio on a phone: one pane at a time, the current step, and tabs at the bottom. */
export function PhonePanes({ badAt }: { badAt: string | null }) {
  const t = useTranslations("studio.phone");
  const [{ pane }, select] = useSelection();
  const { Pane } = PANES[pane];
  // The outside system is the address: a link to the message box shows the thread.
  useEffect(() => {
    if (isAskedToWrite()) select({ pane: "thread" });
  }, [select]);
  return (
    <div className="phone-panes">
      <TabPanel id={ID} value={pane} className={`relative isolate min-h-0 ${pane === "time" ? "timeline-pane" : ""}`}>
        <Notices badAt={badAt} />
        {/* The thread has its own. */}
        {pane !== "thread" && <h2 className="sr-only">{t(pane)}</h2>}
        <Pane />
      </TabPanel>
      {pane !== "time" && <StepStrip />}
      <Tabs
        id={ID}
        label={t("tabs")}
        value={pane}
        tabs={PHONE_PANES.map((value) => ({
          value,
          label: (
            <>
              <Icon name={PANES[value].icon} size={20} />
              {t(value)}
            </>
          ),
        }))}
        onChange={(value) => select({ pane: value })}
        className="phone-tabs"
        look="phone-tab"
      />
    </div>
  );
}

/** The current step, with buttons to others. */
function StepStrip() {
  const t = useTranslations("timeline");
  const at = useStudio((state) => state.at);
  const last = useStudio((state) => state.last);
  const seek = useStudio((state) => state.seek);
  const step = useStudio((state) => state.step);
  return (
    <div className="flex h-13 items-center gap-1 border-line border-t bg-sunken pr-1 pl-4">
      <span className="flex-none text-fg-2 whitespace-nowrap tabular-nums">
        {t("step")} <b className="font-semibold text-accent">{at}</b> <span className="text-fg-3">/ {last}</span>
      </span>
      <input
        type="range"
        aria-label={t("label")}
        min={0}
        max={last}
        value={at}
        onChange={({ target }) => seek(target.valueAsNumber)}
        className="mx-2 h-11 min-w-0 flex-1 accent-accent"
      />
      <Button variant="ghost" square aria-label={t("previousStep")} onClick={() => step("step", -1)}>
        <Icon name="previous-step" />
      </Button>
      <Button variant="ghost" square aria-label={t("nextStep")} onClick={() => step("step", 1)}>
        <Icon name="next-step" />
      </Button>
    </div>
  );
}
