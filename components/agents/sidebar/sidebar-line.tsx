"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AgoTime } from "@/components/list/now.tsx";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { useHasDraft } from "../entry/drafts.tsx";
import { stateOwnerOf } from "../state-owner.ts";
import { SidebarLink } from "./sidebar-link.tsx";
import { type SidebarRow, stateOwnerName } from "./sidebar-rows.ts";

interface SidebarLineProps {
  row: SidebarRow;
  selected: boolean;
}

/** A row of the list: a heading, or a link to an agent or a key. */
export function SidebarLine({ row, selected }: SidebarLineProps) {
  const t = useTranslations("agents");
  switch (row.kind) {
    case "heading":
      return <h2 className="flex h-full items-end px-3 pb-1 text-11 text-fg-3">{t(`list.${row.id}`)}</h2>;
    case "running":
      return (
        <Line selected={selected} agent={row.id}>
          <Icon name="obelus" size={14} className="text-fg-3" />
          <span className="min-w-0 truncate font-medium">{row.id}</span>
          <span className="ml-auto flex-none text-11 text-fg-3">{t(`mode.${row.agent.mode}`)}</span>
        </Line>
      );
    case "keeper":
      return (
        <Line selected={selected} agent={row.agent}>
          <Icon name={iconOf(row.agent)} size={14} className="text-fg-3" />
          <span className="min-w-0 truncate font-medium">{stateOwnerName(row.agent)}</span>
          {stateOwnerOf(row.agent).kind === "own" && (
            <span className="ml-auto flex-none text-11 text-fg-3">{t("list.own")}</span>
          )}
        </Line>
      );
    case "key":
      return (
        <Line selected={selected} agent={row.entry.agent_id} entryKey={row.entry.key}>
          <span className="min-w-0 truncate pl-5 font-mono text-11">{row.entry.key}</span>
          <Aside agent={row.entry.agent_id} entryKey={row.entry.key} at={row.entry.updated_at} />
        </Line>
      );
    case "memory":
      return (
        <Line selected={selected} agent={row.entry.agent_id} entryKey={row.entry.key}>
          <Icon name="manager" size={14} className="text-fg-3" />
          <span className="min-w-0 truncate font-medium">{row.user}</span>
          <span className="flex-none text-11 text-fg-3">{t("list.memory")}</span>
          <Aside agent={row.entry.agent_id} entryKey={row.entry.key} at={row.entry.updated_at} />
        </Line>
      );
    default:
      return row satisfies never;
  }
}

function iconOf(agent: string): IconName {
  return stateOwnerOf(agent).kind === "memory" ? "manager" : stateOwnerOf(agent).kind === "own" ? "obelus" : "delegate";
}

/** When the key was last written, or that it has an unsaved edit. */
function Aside({ agent, entryKey, at }: { agent: string; entryKey: string; at: string }) {
  const t = useTranslations("agents.list");
  const hasDraft = useHasDraft();
  return (
    <span className="ml-auto flex-none pl-1 text-11 text-fg-3 tabular-nums">
      {hasDraft(agent, entryKey) ? (
        <span className="inline-flex items-center gap-1 text-chg">
          <Icon name="pencil" size={12} />
          {t("unsaved")}
        </span>
      ) : (
        <AgoTime at={at} />
      )}
    </span>
  );
}

interface LineProps {
  agent: string;
  entryKey?: string;
  selected: boolean;
  children: ReactNode;
}

function Line({ agent, entryKey, selected, children }: LineProps) {
  return (
    <SidebarLink
      agent={agent}
      entryKey={entryKey}
      title={entryKey === undefined ? agent : `${agent} / ${entryKey}`}
      aria-current={selected ? "true" : undefined}
      className="flex h-full items-center gap-1.75 px-3 text-fg hover:bg-hover focus-visible:rounded-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)] aria-[current=true]:bg-accent-soft aria-[current=true]:shadow-[inset_2px_0_0_var(--accent)] aria-[current=true]:focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
    >
      {children}
    </SidebarLink>
  );
}
