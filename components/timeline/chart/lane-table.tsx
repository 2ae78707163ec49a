"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { useDuration } from "@/components/format/use-duration.ts";
import { laneFacts } from "@/lib/session/timeline/lanes/facts.ts";
import type { OptionalLane } from "@/lib/session/timeline/lanes/layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { useLaneName } from "../use-lane-name.ts";

interface LaneTableProps {
  model: TimelineModel;
  lanes: readonly OptionalLane[];
  /** The clock, epoch ms. */
  now: number;
}

/** The lanes as a table, for screen readers (C5). */
export function LaneTable({ model, lanes, now }: LaneTableProps) {
  const t = useTranslations("timeline.table");
  return (
    <table className="sr-only">
      <caption>{t("caption")}</caption>
      <thead>
        <tr>
          {(["lane", "count", "failed", "busy", "first", "last"] as const).map((column) => (
            <th key={column} scope="col">
              {t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lanes.map((lane) => (
          <LaneRow key={lane} model={model} lane={lane} now={now} />
        ))}
      </tbody>
    </table>
  );
}

function LaneRow({ model, lane, now }: Omit<LaneTableProps, "lanes"> & { lane: OptionalLane }) {
  const t = useTranslations("timeline.table");
  const nameOf = useLaneName();
  const duration = useDuration();
  const facts = useMemo(() => laneFacts(model, lane, now), [model, lane, now]);
  return (
    <tr>
      <th scope="row">{nameOf(lane)}</th>
      <td>{facts.count}</td>
      <td>{facts.failed}</td>
      <td>{facts.busyMs === null ? "–" : duration(facts.busyMs)}</td>
      <td>{facts.first}</td>
      <td>{facts.last ?? t("open")}</td>
    </tr>
  );
}
