"use client";

import "./stages.css";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { callApi } from "@/components/client/api.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { shownRunStatus } from "@/components/studio/header/shown-run-status.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { STATUS, STATUS_INK } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { Run } from "@/lib/session/session.ts";
import type { DialogGraph } from "./dialog-graph.ts";
import { StageEdges } from "./stage-edges.tsx";
import { layOutStages } from "./stage-layout.ts";
import { StageNode } from "./stage-node.tsx";
import { turnPathOf } from "./turn-path.ts";

/** The main graph with the path that a turn has taken so far (D1). */
export function StageGraph({ run }: { run: Run }) {
  const t = useTranslations();
  const { data, isError, refetch } = useDialogGraph();
  const status = shownRunStatus(run);
  return (
    <>
      <div className="pg-toolbar">
        <span className="pg-count">{t("stages.came.count", { count: run.stages.length })}</span>
        <span className={`sg-standing ${STATUS_INK[STATUS[status].token]}`}>
          <StatusIcon status={status} size={14} />
          {t(`events.run_status.${status}`)}
        </span>
      </div>
      {data && <Drawing graph={data} run={run} />}
      {!data && isError && (
        <div className="pg-empty">
          <EmptyState
            icon="unreachable"
            title={t("stages.failed")}
            actions={<Button onClick={() => void refetch()}>{t("stages.again")}</Button>}
          >
            {t("stages.failedWhy")}
          </EmptyState>
        </div>
      )}
      {!data && !isError && (
        <p className="sg-loading" role="status">
          {t("stages.loading")}
        </p>
      )}
    </>
  );
}

function Drawing({ graph, run }: { graph: DialogGraph; run: Run }) {
  const t = useTranslations("stages");
  const layout = useMemo(() => layOutStages(graph), [graph]);
  const way = useMemo(() => turnPathOf(run), [run]);
  const [{ node: selected }, select] = useSelection();
  const step = useStudio((state) => (state.following ? null : state.session.at));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the nodes, as Escape, selects none of them
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <div className="sg-canvas" onClick={(event) => event.target === event.currentTarget && select({ node: null })}>
      <div className="sg-drawing" style={{ width: layout.width, height: layout.height }}>
        <StageEdges layout={layout} run={run} way={way} />
        <ul aria-label={t("nodes")}>
          {layout.nodes.map((placed) => (
            <StageNode
              key={placed.id}
              placed={placed}
              run={run}
              way={way}
              step={step}
              selected={placed.id === selected}
              onSelect={() => select({ node: placed.id === selected ? null : placed.id, tab: "state" })}
            />
          ))}
        </ul>
      </div>
    </div>
  );
}

/** The main graph (D1). It is part of the server's code, so it is fetched once. */
function useDialogGraph(): UseQueryResult<DialogGraph> {
  return useQuery({
    queryKey: ["dialog-graph"],
    queryFn: ({ signal }) => callApi<DialogGraph>("/api/dialog/graph", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
