"use client";

import dynamic from "next/dynamic";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback } from "react";
import { setParam } from "@/components/selection/set-params.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { printReference } from "@/lib/plan/reference.ts";
import type { JsonRow } from "../json-rows.ts";
import { JsonTree } from "../json-tree.tsx";
import { AbsentPaths } from "./absent-paths.tsx";
import { PathPanel } from "./path-panel.tsx";
import { StateFindBox } from "./state-find.tsx";
import { parseSelectedPath, readersOf } from "./state-paths.ts";
import { StepChanges } from "./step-changes.tsx";
import { useStateFind } from "./use-state-find.ts";
import { type StateView, useStateView } from "./use-state-view.ts";

/** Only with a pinned step. */
const StatePair = dynamic(() => import("./state-pair.tsx").then((room) => room.StatePair), { loading: () => null });

/** The State tab: changes of the step, the tree with writers, and the selected path (C6). */
export function StateTab() {
  const t = useTranslations("inspector.state");
  const view = useStateView();
  const [{ path: selected }, select] = useSelection();
  const reference = parseSelectedPath(selected);
  const selectedId = reference?.kind === "state" ? printReference(reference).slice("†state".length) : null;
  const { looked, state, absent } = view;
  const find = useStateFind(state);
  const [pinned, pin] = usePinnedStep();

  const pick = (path: JsonRow["path"]) => {
    const text = printReference({ kind: "state", path });
    select({ path: text === selected ? null : text });
  };
  const isEmpty = typeof state === "object" && state !== null && Object.keys(state).length === 0;

  return (
    <div className="flex h-full min-h-0 flex-col">
      <StepChanges view={view} onPick={pick} />
      <div className="flex h-7.5 phone:h-11 flex-none items-center gap-1 border-line border-b pr-3 pl-3 text-11 text-fg-3">
        {find.isOpen && pinned === null ? (
          <StateFindBox find={find} />
        ) : (
          <>
            <span className="min-w-0 truncate">
              <span className="font-mono">†state</span> {looked.instance}
            </span>
            <span className="flex-1" />
            {!isEmpty && pinned === null && <span className="min-w-0 truncate px-1">{t("writtenBy")}</span>}
            {!isEmpty && pinned === null && <IconButton icon="search" name={t("find")} onClick={find.open} />}
            <PinButton pinned={pinned} onPin={pin} />
          </>
        )}
      </div>
      <div className="relative flex min-h-0 flex-1 flex-col overflow-hidden">
        {pinned !== null ? (
          <StatePair view={view} step={pinned} selected={selectedId} onPick={pick} />
        ) : (
          <JsonTree
            label={t("tree")}
            value={state}
            prefix="†state"
            selected={selectedId}
            onSelect={({ path }) => pick(path)}
            markOf={view.markOf}
            opened={view.opened}
            find={find.isOpen ? find : undefined}
            asideOf={(row) => <Aside view={view} row={row} isSelected={row.id === selectedId} />}
            empty={<p className="px-3 py-2 text-fg-3">{looked.run ? t("empty") : t("noRun")}</p>}
            className="min-h-15 shrink py-1.5"
          />
        )}
        {absent.length > 0 && pinned === null && <AbsentPaths absent={absent} selectedId={selectedId} onPick={pick} />}
      </div>
      {reference && <PathPanel view={view} reference={reference} onClear={() => select({ path: null })} />}
    </div>
  );
}

/** Pins the step's state for comparison, or unpins it. */
function PinButton({ pinned, onPin }: { pinned: number | null; onPin: (step: number | null) => void }) {
  const t = useTranslations("inspector.state");
  const at = useStudio((state) => state.at);
  return pinned === null ? (
    <IconButton icon="compare" name={t("pin", { step: at })} onClick={() => onPin(at)} />
  ) : (
    <IconButton icon="close" name={t("unpin", { step: pinned })} onClick={() => onPin(null)} />
  );
}

/** The writer of the row's path; on the selected row, the number of readers. */
function Aside({ view, row, isSelected }: { view: StateView; row: JsonRow; isSelected: boolean }) {
  const t = useTranslations("inspector.state");
  if (isSelected) {
    const readers = readersOf(view.session, view.looked, { kind: "state", path: row.path });
    if (readers.length > 0) return t("readers", { count: readers.length });
  }
  const writer = view.writers.get(row.id) ?? (row.depth === 0 ? view.writers.get("") : undefined);
  return writer ? (writer.call?.tool ?? writer.write.call_id ?? "") : null;
}

/** The pinned step (`with=12` in the address); null for none. */
function usePinnedStep(): [number | null, (step: number | null) => void] {
  const text = useSearchParams().get("with");
  const pin = useCallback((step: number | null) => setParam("with", step === null ? "" : String(step)), []);
  return [text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null, pin];
}
