"use client";

import dynamic from "next/dynamic";
import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { useBytes } from "@/components/format/use-bytes.ts";
import { CopyButton } from "@/components/inspector/copy-button.tsx";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import { readTrace } from "@/components/trace/read-trace.ts";
import { TraceSteps } from "@/components/trace/trace-steps.tsx";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { TabPanel, Tabs } from "@/components/ui/tabs.tsx";
import type { AgentStateVersion } from "@/lib/api/shapes.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { View } from "../selection.ts";
import { memoryUser, stateOwnerOf } from "../state-owner.ts";
import { useAgentSelection } from "../use-agent-selection.ts";
import { ChangesView } from "./changes-view.tsx";
import { printJson, useDraft } from "./drafts.tsx";
import { Editor } from "./editor.tsx";
import { useValue } from "./use-value.ts";

/** The rules of the memory document include Zod, so they are loaded on demand. */
const StoredMemory = dynamic(() => import("@/components/memory/stored-memory.tsx").then((room) => room.StoredMemory), {
  loading: () => null,
});

interface EntryViewsProps {
  agent: string;
  entryKey: string;
  /** Newest first. */
  versions: readonly AgentStateVersion[];
  onWritten: (version: number) => void;
}

/** The views of a value: memory, reasoning steps, JSON, changes, and the editor. */
export function EntryViews({ agent, entryKey, versions, onWritten }: EntryViewsProps) {
  const t = useTranslations("agents");
  const [{ version, tab }, select] = useAgentSelection();
  const writes = useHasPermission("ingest") && stateOwnerOf(agent).kind !== "own";
  const newest = versions[0] ?? null;
  const current = newest && !newest.deleted ? newest : null;
  const shown = version ?? current?.version ?? null;
  const value = useValue(agent, entryKey, shown);
  const stored = shown === null ? undefined : value.data?.value;
  // Until the value is loaded, the JSON view is the only certain one.
  const isComing = shown !== null && value.isPending;
  const views = viewsOf({ agent, entryKey, value: isComing ? null : stored, versioned: newest !== null, writes });
  const fallback = version !== null ? "changes" : views[0];
  // An edit is based on the newest version; an old version is restored as a new one.
  const wanted = version !== null && tab === "edit" ? null : tab;
  const view = views.find((one) => one === wanted) ?? views.find((one) => one === fallback) ?? null;

  const content = () => {
    if (view === "edit") return <Editor agent={agent} entryKey={entryKey} current={current} onWritten={onWritten} />;
    if (view === "changes")
      return <ChangesView agent={agent} entryKey={entryKey} versions={versions} version={shown} />;
    if (isComing) return <Loading />;
    if (value.error)
      return (
        <EmptyState
          icon="unreachable"
          title={t("entry.failed")}
          actions={<Button onClick={() => void value.refetch()}>{t("list.retry")}</Button>}
        >
          {value.error.message}
        </EmptyState>
      );
    if (stored === undefined)
      return (
        <NothingKept gone={newest !== null} onBegin={writes ? () => select({ version: null, tab: "edit" }) : null} />
      );
    if (view === "memory") return <StoredMemory value={stored} />;
    const trace = view === "steps" ? readTrace(stored) : null;
    if (trace)
      return (
        <div className="h-full overflow-y-auto px-4 py-3">
          <TraceSteps trace={trace} />
        </div>
      );
    return <ValueTree value={stored} />;
  };

  return (
    <>
      {version !== null && version !== current?.version && (
        <OldVersion agent={agent} entryKey={entryKey} version={version} value={stored} current={current} />
      )}
      {view === null ? (
        <div className="min-h-0 flex-1">{content()}</div>
      ) : (
        <>
          <ViewTabs
            views={views}
            view={view}
            onChange={(next) => select(next === "edit" ? { tab: next, version: null } : { tab: next })}
          />
          <TabPanel id={VIEW_TABS} value={view} className="min-h-0 flex-1">
            {content()}
          </TabPanel>
        </>
      )}
    </>
  );
}

interface Viewed {
  agent: string;
  entryKey: string;
  value: Json | undefined;
  versioned: boolean;
  /** The caller may edit it. */
  writes: boolean;
}

/** The available views of a value, the most readable first. */
function viewsOf({ agent, entryKey, value, versioned, writes }: Viewed): View[] {
  const views: View[] = [];
  if (value !== undefined) {
    if (memoryUser(agent, entryKey) !== null) views.push("memory");
    if (readTrace(value)) views.push("steps");
    views.push("json");
  }
  if (versioned) views.push("changes");
  if (writes) views.push("edit");
  return views;
}

interface OldVersionProps {
  agent: string;
  entryKey: string;
  version: number;
  value: Json | undefined;
  current: AgentStateVersion | null;
}

/** A notice that the shown version is not the newest, with a button that restores it. */
function OldVersion({ agent, entryKey, version, value, current }: OldVersionProps) {
  const t = useTranslations("agents.entry");
  const [, select] = useAgentSelection();
  const [, setDraft] = useDraft(agent, entryKey);
  const newest = useValue(agent, entryKey, current?.version ?? null);
  const base =
    current && newest.data?.value !== undefined ? { version: current.version, value: newest.data.value } : null;
  const canRestore = value !== undefined && stateOwnerOf(agent).kind !== "own" && (current === null || base !== null);
  return (
    <div className="flex min-h-8.5 flex-none flex-wrap items-center gap-x-2 gap-y-1 border-line border-b bg-chg-bg px-4 py-1">
      <p className="min-w-0 flex-1">{t("old", { version })}</p>
      {canRestore && (
        <RequirePermission permission="ingest">
          <Button
            onClick={() => {
              setDraft({ base, text: printJson(value) });
              select({ version: null, tab: "edit" });
            }}
          >
            {t("restore")}
          </Button>
        </RequirePermission>
      )}
      <Button onClick={() => select({ version: null, tab: null, against: "before" })}>{t("showCurrent")}</Button>
    </div>
  );
}

function NothingKept({ gone, onBegin }: { gone: boolean; onBegin: (() => void) | null }) {
  const t = useTranslations("agents.entry");
  return (
    <EmptyState
      icon="thread"
      title={gone ? t("gone") : t("absent")}
      heading="h3"
      actions={onBegin && <Button onClick={onBegin}>{t("begin")}</Button>}
    >
      {gone ? t("goneWhy") : t("absentWhy")}
    </EmptyState>
  );
}

function Loading() {
  const t = useTranslations("agents.entry");
  return (
    <p role="status" className="p-4 text-fg-3">
      {t("loading")}
    </p>
  );
}

/** A value as a tree, with its size and a copy button. */
function ValueTree({ value }: { value: Json }) {
  const t = useTranslations("agents");
  const bytes = useBytes();
  const text = printJson(value);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="flex h-7.5 phone:h-11 flex-none items-center justify-between px-4 text-11 text-fg-3">
        <span>{bytes(new TextEncoder().encode(JSON.stringify(value)).length)}</span>
        <CopyButton text={() => text} label={t("entry.copy")} worded />
      </div>
      <JsonTree label={t("view.json")} value={value} className="min-h-0 flex-1 pb-3" />
    </div>
  );
}

/** The prefix of the ids of tabs and their panel. */
const VIEW_TABS = "agent-view";

interface ViewTabsProps {
  views: readonly View[];
  view: View;
  onChange: (view: View) => void;
}

/** The views of a value as tabs. */
function ViewTabs({ views, view, onChange }: ViewTabsProps) {
  const t = useTranslations("agents.view");
  return (
    <Tabs
      id={VIEW_TABS}
      label={t("label")}
      value={view}
      tabs={views.map((value) => ({ value, label: t(value) }))}
      onChange={onChange}
      className="h-[var(--h-toolbar)] flex-none border-line border-b px-2"
      look="-mb-px px-2"
    />
  );
}
