"use client";

import { useTranslations } from "next-intl";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import { GROUPINGS, optionalLanes } from "@/lib/session/timeline/lanes/layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { useLaneName } from "./use-lane-name.ts";
import type { ViewChoice } from "./use-view-choice.ts";

/** Grouping of lanes, and which are shown; empty lanes are not listed. */
export function LanesMenu({ model, choice }: { model: TimelineModel; choice: ViewChoice }) {
  const t = useTranslations("timeline");
  const nameOf = useLaneName();
  const offered = optionalLanes(model.lanes, choice.grouping);
  if (offered.length === 0) return null;
  const shown = offered.filter((lane) => !choice.hidden.has(lane)).length;
  return (
    <Menu
      align="end"
      className="ml-1 inline-flex h-(--control) flex-none items-center gap-1.5 rounded-2 border border-line-strong px-2 text-fg-2 hover:bg-hover"
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
      {model.lanes.byAgent.length > 0 && (
        <>
          {GROUPINGS.map((grouping) => (
            <MenuItem
              key={grouping}
              checked={choice.grouping === grouping}
              onSelect={() => choice.setGrouping(grouping)}
            >
              {t(`grouping.${grouping}`)}
            </MenuItem>
          ))}
          <MenuSeparator />
        </>
      )}
      {offered.map((lane) => (
        <MenuItem key={lane} checked={!choice.hidden.has(lane)} onSelect={() => choice.toggleLane(lane)}>
          <span className="max-w-60 truncate">{nameOf(lane)}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}
