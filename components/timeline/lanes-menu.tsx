"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import { OPTIONAL_LANES } from "@/lib/session/timeline-layout.ts";
import type { TimelineModel } from "@/lib/session/timeline-model.ts";
import type { ViewChoice } from "./use-view-choice.ts";

/** Switches lanes on and off; lanes with nothing in them are not offered. */
export function LanesMenu({ model, choice }: { model: TimelineModel; choice: ViewChoice }) {
  const t = useTranslations("timeline");
  const offered = OPTIONAL_LANES.filter((lane) => model.lanes[lane].length > 0);
  if (offered.length === 0) return null;
  const shown = offered.filter((lane) => !choice.hidden.has(lane)).length;
  return (
    <Menu
      align="end"
      className="ml-1 inline-flex h-(--control) flex-none items-center gap-1.5 rounded-2 border border-line-strong px-2 text-fg-2 hover:bg-hover narrow:hidden"
      trigger={
        <>
          {t("lanes")}
          <b className="font-medium text-fg tabular-nums">
            {shown === offered.length ? shown : `${shown} / ${offered.length}`}
          </b>
          <Icon name="down" size={12} />
        </>
      }
    >
      {offered.map((lane) => (
        <MenuItem key={lane} checked={!choice.hidden.has(lane)} onSelect={() => choice.toggleLane(lane)}>
          {t(`lane.${lane}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
