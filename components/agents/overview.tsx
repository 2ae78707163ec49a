"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import type { RunningAgent } from "./running-agent.ts";
import { SidebarLink } from "./sidebar/sidebar-link.tsx";
import { useAgents } from "./use-agents.ts";

/** Shown while nothing is selected: the agents of this server and their modes. */
export function Overview() {
  const t = useTranslations("agents.overview");
  const agents = useAgents();
  if (agents.data?.length === 0)
    return (
      <EmptyState icon="obelus" title={t("none")}>
        {t.rich("noneWhy", { code: (text) => <code className="font-mono text-12 text-fg">{text}</code> })}
      </EmptyState>
    );
  return (
    <div className="min-w-0 flex-1 overflow-y-auto">
      <div className="max-w-200 px-6 py-5 max-md:px-4">
        <h2 className="text-16 leading-6 font-semibold">{t("title")}</h2>
        <p className="mt-1 text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{t("text")}</p>
        {agents.error && !agents.data && (
          <div role="alert" className="mt-4 flex items-center gap-3">
            <p className="text-st-failed">{agents.error.message}</p>
            <Button onClick={() => void agents.refetch()}>{t("retry")}</Button>
          </div>
        )}
        {agents.isPending && <Skeleton />}
        <ul className="mt-4 border-line border-t">
          {agents.data?.map((agent) => (
            <li key={agent.id} className="border-line border-b py-4">
              <Card agent={agent} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Card({ agent }: { agent: RunningAgent }) {
  const t = useTranslations("agents.overview");
  return (
    <>
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-14">
        <SidebarLink agent={agent.id} className="font-semibold hover:underline">
          {agent.id}
        </SidebarLink>
        {agent.default && <span className="text-12 text-fg-3">{t("default")}</span>}
      </h3>
      {agent.description !== "" && (
        <p className="mt-0.5 max-w-160 text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{agent.description}</p>
      )}
      <div className="mt-2.5">
        <ModeSwitch agent={agent} />
      </div>
    </>
  );
}

function Skeleton() {
  return (
    <div aria-hidden className="mt-6 flex animate-pulse-soft flex-col gap-4">
      {["w-1/4", "w-2/3", "w-1/3", "w-1/4", "w-3/5"].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <span key={index} className={`h-2.5 rounded-1 bg-active ${width}`} />
      ))}
    </div>
  );
}
