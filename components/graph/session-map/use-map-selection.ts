"use client";

import { useCallback, useMemo } from "react";
import { rootRun } from "@/components/selection/resolve-selection.ts";
import { findCall } from "@/components/selection/select-call.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelectCall } from "@/components/selection/use-select-call.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio, useStudioStore } from "@/components/studio/use-studio.ts";
import { callKey } from "@/lib/session/keys.ts";
import type { MapCall, MapRun, SessionMap } from "@/lib/session/map/session-map.ts";
import { keyOf } from "./bands.ts";

interface MapSelection {
  /** The selected call's key. */
  key: string | null;
  /** The run that the address names. */
  runId: string | null;
  selectCall(call: MapCall): void;
  selectRun(run: MapRun): void;
}

/** The studio's selection on the map, which also has calls that the session at this step has not. */
export function useMapSelection(map: SessionMap): MapSelection {
  const store = useStudioStore();
  const session = useStudio((state) => state.session);
  const looked = useResolvedSelection(session);
  const [{ call, run, instance }, select] = useSelection();
  const selectKnown = useSelectCall();

  const key = useMemo(() => {
    const known = findCall(session, looked, call);
    if (known) return callKey(known.run_id, known.iteration, known.instance, known.id);
    const others = map.calls.filter((one) => one.id === call && (instance === null || one.instance === instance));
    const own = others.findLast((one) => rootOf(map, one.run_id) === run);
    const found = own ?? others.at(-1);
    return found ? keyOf(found) : null;
  }, [session, looked, call, run, instance, map]);

  const selectCall = useCallback(
    (one: MapCall) => {
      const { session, jump, seek } = store.getState();
      const known = session.calls.get(keyOf(one));
      if (known) return selectKnown(known);
      // It is yet to come, or of a run whose details the view has left out: it is shown at the step where it ended.
      const root = rootRun(session, one.run_id)?.id ?? rootOf(map, one.run_id);
      jump(() => {
        seek(one.ended_seq ?? one.seq);
        select({
          ...{ call: one.id, tab: "call", run: root, iteration: root === one.run_id ? one.iteration : null },
          ...(one.instance !== "" && { instance: one.instance }),
        });
      });
    },
    [store, select, selectKnown, map],
  );
  const selectRun = useCallback(
    ({ id, started_seq, ended_seq }: MapRun) => {
      const { session, jump, seek } = store.getState();
      jump(() => {
        if (!session.runs.has(id)) seek(ended_seq ?? started_seq);
        select({ run: id, iteration: null, instance: null, call: null });
      });
    },
    [store, select],
  );
  return { key, runId: run, selectCall, selectRun };
}

/** The top-level run of a run on the map. */
function rootOf({ runs }: SessionMap, id: string): string {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const seen = new Set<string>();
  let root = id;
  for (let parent = byId.get(root)?.parent; parent && byId.has(parent.run_id) && !seen.has(root); ) {
    seen.add(root);
    root = parent.run_id;
    parent = byId.get(root)?.parent;
  }
  return root;
}
