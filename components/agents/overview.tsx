"use client";

import { useTranslations } from "next-intl";
import { useWords } from "@/components/overview/use-words.ts";
import { Button } from "@/components/ui/button.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Link } from "@/components/ui/link.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import type { RunningAgent } from "./running-agent.ts";
import { SidebarLink } from "./sidebar/sidebar-link.tsx";
import { useAgents } from "./use-agents.ts";

/** What an agent did in the last seven days. */
export interface AgentWeek {
  name: string;
  /** Turns. */
  count: number;
  failed: number;
  /** The 95th percentile of a turn's duration, ms; null without turns. */
  p95: number | null;
}

/** Shown while nothing is selected: the agents of this server, their modes and their last seven days. */
export function Overview({ week }: { week: readonly AgentWeek[] }) {
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
      <div className="page-measure py-5 text-13 leading-[var(--lh-body)]">
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
            <li
              key={agent.id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 gap-y-3 border-line border-b py-4 phone:grid-cols-1"
            >
              <Card agent={agent} />
              <Week agent={agent.id} week={week.find(({ name }) => name === agent.id) ?? null} />
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
    <div>
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
    </div>
  );
}

/** The figures of an agent, each with its link. */
function Week({ agent, week }: { agent: string; week: AgentWeek | null }) {
  const t = useTranslations("agents.overview.week");
  const words = useWords();
  const query = `agent=${encodeURIComponent(agent)}`;
  if (!week) return <p className="text-12 text-fg-3">{t("none")}</p>;
  return (
    <section aria-label={t("title", { agent })} className="flex flex-col items-end gap-1.5 phone:items-start">
      <dl className="flex gap-6 text-right phone:text-left">
        <Figure name={t("turns")}>{words.number(week.count)}</Figure>
        <Figure name={t("failed")} isBad={week.failed > 0}>
          {words.share(week.failed, week.count)}
        </Figure>
        <Figure name={t("p95")}>{words.duration(week.p95)}</Figure>
      </dl>
      <p className="flex gap-3 text-12 text-fg-3">
        <span>{t("period")}</span>
        <Link href={`/overview?${query}`} className={LINK}>
          {t("overview")}
        </Link>
        <Link href={`/?${query}`} className={LINK}>
          {t("conversations")}
        </Link>
      </p>
    </section>
  );
}

const LINK = "text-fg-2 underline decoration-line-control underline-offset-3 hover:text-fg phone:min-h-11";

function Figure({ name, isBad = false, children }: { name: string; isBad?: boolean; children: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-11 leading-4 text-fg-3">{name}</dt>
      <dd className={`text-16 leading-6 font-semibold ${isBad ? "text-st-failed" : ""}`}>{children}</dd>
    </div>
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
