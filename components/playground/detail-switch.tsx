"use client";

import { useTranslations } from "next-intl";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useNarrow } from "@/components/studio/panes/use-narrow.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";

/** The heading of the call's form and of the simulation: a switch between the two where they share a pane. */
export function DetailSwitch({ shown }: { shown: "call" | "simulation" }) {
  const t = useTranslations("playground");
  const isNarrow = useNarrow();
  const [, select] = useSelection();
  const title = { call: t("form.title"), simulation: t("simulation.title") };
  if (isNarrow)
    return (
      <>
        <h2 className="flex-1 font-semibold">{title[shown]}</h2>
        {shown === "call" && (
          <IconButton icon="close" name={t("form.close")} onClick={() => select({ tab: "state" })} />
        )}
      </>
    );
  return (
    <>
      <h2 className="sr-only">{title[shown]}</h2>
      <Segmented
        label={t("panes.details")}
        value={shown}
        options={(["call", "simulation"] as const).map((value) => ({ value, label: title[value] }))}
        onChange={(next) => select({ tab: next === "call" ? "call" : "state" })}
        className="-ml-1"
      />
    </>
  );
}
