"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { AgoTime } from "@/components/list/now.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { versionsAddress } from "@/components/versions/place.ts";
import { entriesOf } from "./entry-pages.ts";
import { ModeSwitch } from "./mode-switch.tsx";
import type { RunningAgent } from "./running-agent.ts";
import { SidebarLink } from "./sidebar/sidebar-link.tsx";
import { stateOwnerName } from "./sidebar/sidebar-rows.ts";
import { stateOwnerOf } from "./state-owner.ts";
import { useAgentSelection } from "./use-agent-selection.ts";
import { useAgents } from "./use-agents.ts";
import { useEntries } from "./use-entries.ts";

/** One agent: its definition, its mode, and its state keys. */
export function AgentPanel({ id }: { id: string }) {
  const t = useTranslations("agents");
  const [, select] = useAgentSelection();
  const agent = useAgents().data?.find((one) => one.id === id);
  const keeper = stateOwnerOf(id);
  return (
    <section aria-label={id} className="min-w-0 flex-1 overflow-y-auto">
      <div className="page-measure py-5 text-13 leading-[var(--lh-body)]">
        <div className="flex items-center gap-1.5">
          <Button
            variant="ghost"
            square
            aria-label={t("entry.back")}
            onClick={() => select({ agent: null })}
            className="-ml-2 hidden! max-md:inline-flex!"
          >
            <Icon name="left" />
          </Button>
          <h2 className="flex min-w-0 items-baseline gap-2 text-16 leading-6 font-semibold wrap-anywhere">
            {stateOwnerName(id)}
            {agent?.default && <span className="text-12 font-normal text-fg-3">{t("overview.default")}</span>}
          </h2>
        </div>
        {agent ? (
          <Definition agent={agent} />
        ) : (
          <p className="mt-1 text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{t(`panel.${keeper.kind}`)}</p>
        )}
        <Keys id={id} />
      </div>
    </section>
  );
}

function Definition({ agent }: { agent: RunningAgent }) {
  const t = useTranslations("agents.panel");
  return (
    <>
      {agent.description !== "" && (
        <p className="mt-1 max-w-160 text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{agent.description}</p>
      )}
      <Part title={t("mode")}>
        <ModeSwitch agent={agent} />
      </Part>
      <Part title={t("tools")}>
        {agent.tools === null ? (
          <p className="text-fg-2">{t("allTools")}</p>
        ) : agent.tools.length === 0 ? (
          <p className="text-fg-2">{t("noTools")}</p>
        ) : (
          <ul className="flex flex-wrap gap-1">
            {agent.tools.map((tool) => (
              <li
                key={tool}
                className="rounded-1 border border-line-strong px-1.25 font-mono text-10 leading-4 text-fg-2 wrap-anywhere"
              >
                {tool}
              </li>
            ))}
          </ul>
        )}
      </Part>
      <Part title={t("instructions")}>
        <p className="max-w-160 border-l-2 border-line-strong pl-2.5 text-13 leading-[var(--lh-body)] text-pretty whitespace-pre-wrap wrap-anywhere">
          {agent.instructions}
        </p>
        <Link
          href={`/prompts?${new URLSearchParams({ agent: agent.id })}`}
          className="mt-2 inline-flex min-h-6 phone:min-h-11 items-center rounded-1 font-medium text-accent underline underline-offset-2"
        >
          {t("tryPrompt")}
        </Link>
        <Link
          href={versionsAddress({ agent: agent.id })}
          className="mt-2 ml-4 inline-flex min-h-6 phone:min-h-11 items-center rounded-1 font-medium text-accent underline underline-offset-2"
        >
          {t("compareVersions")}
        </Link>
      </Part>
      <p className="mt-3 text-11 text-fg-3">
        {t(`language.${agent.locale}`)} ·{" "}
        {agent.source === "file" ? t("fromFile", { id: agent.id }) : t("written", { version: agent.version })}
      </p>
    </>
  );
}

/** An agent's state keys. */
function Keys({ id }: { id: string }) {
  const t = useTranslations("agents.panel");
  const entries = useEntries(id);
  const rows = entries.data ? entriesOf(entries.data) : [];
  return (
    <Part title={t("keys")}>
      {entries.error && !entries.data && (
        <p role="alert" className="text-st-failed">
          {entries.error.message}
        </p>
      )}
      {entries.isPending && <p className="text-fg-3">{t("loading")}</p>}
      {entries.data && rows.length === 0 && <p className="text-fg-3">{t("noKeys")}</p>}
      <ul className="-mx-2">
        {rows.map(({ agent_id, key, version, updated_at }) => (
          <li key={key}>
            <SidebarLink
              agent={agent_id}
              entryKey={key}
              className="flex min-h-7 items-center gap-3 rounded-1 px-2 hover:bg-hover"
            >
              <span className="min-w-0 truncate font-mono text-11">{key}</span>
              <span className="ml-auto flex-none text-11 text-fg-3 tabular-nums">{t("version", { version })}</span>
              <span className="w-18 flex-none text-right text-11 text-fg-3 tabular-nums">
                <AgoTime at={updated_at} />
              </span>
            </SidebarLink>
          </li>
        ))}
      </ul>
      {entries.hasNextPage && (
        <Button disabled={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()} className="mt-1">
          {t("moreKeys")}
        </Button>
      )}
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5">
      <h3 className="mb-1.5 font-semibold">{title}</h3>
      {children}
    </section>
  );
}
