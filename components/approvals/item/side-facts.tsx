"use client";

import { useFormatter, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useChannelName } from "@/components/list/filters/channel-icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { Section } from "./section.tsx";
import { studioAddress } from "./studio-address.ts";

interface SideFactsProps {
  item: ListedConfirmation;
  /** Other pending approvals of the same conversation. */
  others: number;
  className: string;
  children: ReactNode;
}

/** Agent, time and place of the request, and the last messages. */
export function SideFacts({ item, others, className, children }: SideFactsProps) {
  const t = useTranslations("approvals.facts");
  const format = useFormatter();
  const channelName = useChannelName();
  const { conversation, agent_id, requested_at, call_id, iteration, cause } = item;
  return (
    <aside aria-label={t("title")} className={`detail-side ${className}`}>
      <Section title={t("title")}>
        <dl className="facts">
          {conversation.user_id && <Fact label={t("user")}>{conversation.user_id}</Fact>}
          <Fact label={t("agent")}>{agent_id ?? conversation.agent_id ?? <span className="text-fg-3">–</span>}</Fact>
          <Fact label={t("conversation")}>
            <Link
              href={studioAddress(item)}
              className="underline decoration-line-control underline-offset-2 hover:decoration-current"
            >
              {conversation.title ?? conversation.subject ?? item.conversation_id}
            </Link>
          </Fact>
          {item.owner !== undefined && (
            <Fact label={t("owner")}>
              {item.deputy === undefined ? item.owner : t("away", { owner: item.owner, deputy: item.deputy })}
            </Fact>
          )}
          {conversation.channel && <Fact label={t("channel")}>{channelName(conversation.channel)}</Fact>}
          <Fact label={t("asked")}>
            <time dateTime={requested_at} className="tabular-nums">
              {format.dateTime(new Date(requested_at), { dateStyle: "medium", timeStyle: "medium", hour12: false })}
            </time>
          </Fact>
          {call_id !== null && (
            <Fact label={t("call")}>
              <code className="font-mono text-11">{call_id}</code>
              {iteration !== null && iteration > 0 && (
                <span className="text-fg-3"> {t("iteration", { number: iteration })}</span>
              )}
            </Fact>
          )}
          <Fact label={t("cause")}>{t(cause)}</Fact>
          {others > 0 && <Fact label={t("beside")}>{t("others", { count: others })}</Fact>}
        </dl>
      </Section>
      {children}
    </aside>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}
