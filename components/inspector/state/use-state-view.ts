"use client";

import { useMemo } from "react";
import type { ResolvedSelection } from "@/components/selection/resolve-selection.ts";
import { usePlanRead } from "@/components/selection/use-plan-read.ts";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useDeferredAtRest } from "@/components/studio/use-deferred-at-rest.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { printPath } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Session } from "@/lib/session/session.ts";
import type { JsonRow, RowMark } from "../json-rows.ts";
import { changedPaths, type StateChange, stateChanges } from "./state-changes.ts";
import { type AbsentPath, absentPaths, parseSelectedPath, type Writer, writersOf } from "./state-paths.ts";

/** The data of the State tab, for the current run, instance and step. */
export interface StateView {
  session: Session;
  looked: ResolvedSelection;
  state: Json;
  /** Null while the previous step is loading. */
  changes: readonly StateChange[] | null;
  writers: ReadonlyMap<string, Writer>;
  absent: readonly AbsentPath[];
  markOf(row: JsonRow): RowMark | null;
  /** Rows that are expanded by default: those that lead to changes. */
  opened: ReadonlySet<string>;
}

export function useStateView(): StateView {
  const session = useDeferredAtRest(useStudio((state) => state.session));
  const before = useDeferredAtRest(useStudio((state) => state.before));
  const looked = useResolvedSelection(session);
  const { run, instance } = looked;
  const [{ path }] = useSelection();
  const state = run?.state[instance] ?? EMPTY;
  const changes = useMemo(() => {
    if (session.at === 0) return [];
    return before && before.at === session.at - 1 ? stateChanges(before, session, looked) : null;
  }, [before, session, looked]);
  const marks = useMemo(() => marksOf(changes ?? [], state), [changes, state]);
  const writers = useMemo(() => (run ? writersOf(session, run, instance) : new Map()), [session, run, instance]);
  const opened = useMemo(() => openedBy(marks, path), [marks, path]);
  const isRead = usePlanRead(looked.plan);
  const absent = useMemo(() => (isRead ? absentPaths(session, looked, state) : NONE), [isRead, session, looked, state]);
  return {
    session,
    looked,
    state,
    changes,
    writers,
    absent,
    markOf: (row) => marks.get(row.id) ?? null,
    opened,
  };
}

const EMPTY: Json = {};
const NONE: readonly AbsentPath[] = [];

/** Each changed path and, as changed, every collection above it; a new collection is marked by its parts only. */
function marksOf(changes: readonly StateChange[], state: Json): Map<string, RowMark> {
  const marks = new Map<string, RowMark>();
  for (const { path, kind } of changedPaths(changes, state)) {
    for (let length = 1; length < path.length; length++) marks.set(printPath(path.slice(0, length)), "change");
    marks.set(printPath(path), kind);
  }
  return marks;
}

/** Rows that lead to changes and to the selected path are expanded by default. */
function openedBy(marks: ReadonlyMap<string, RowMark>, selected: string | null): ReadonlySet<string> {
  const opened = new Set(marks.keys());
  const way = parseSelectedPath(selected)?.path ?? [];
  for (let length = 1; length < way.length; length++) opened.add(printPath(way.slice(0, length)));
  return opened;
}
