"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon.tsx";
import { PathPill } from "@/components/ui/path-pill.tsx";
import { type ShownCallStatus, STATUS, STATUS_INK } from "@/components/ui/status.ts";
import { StatusIcon } from "@/components/ui/status-icon.tsx";
import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { printReference } from "@/lib/plan/reference.ts";
import type { InPlan, Neighbour } from "./in-plan.ts";
import { Section } from "./section.tsx";

/** The most neighbours that are shown. */
const SHOWN = 4;

/** The call between its neighbours in the plan, and the consequences of either decision. */
export function PlaceInPlan({ item, plan }: { item: ListedConfirmation; plan: InPlan }) {
  const t = useTranslations("approvals.plan");
  return (
    <>
      <Section title={t("title")}>
        <div className="flex flex-wrap items-center gap-x-1.5 gap-y-2">
          <Neighbours calls={plan.before} />
          {plan.before.length > 0 && <Arrow />}
          <Node tool={plan.call.tool} status={plan.status} own />
          {plan.after.length > 0 && (
            <div className="flex min-w-0 items-center gap-1.5">
              <Arrow />
              <Neighbours calls={plan.after} />
            </div>
          )}
        </div>
      </Section>
      {item.status === "requested" && <Consequences item={item} plan={plan} />}
    </>
  );
}

function Neighbours({ calls }: { calls: readonly Neighbour[] }) {
  const t = useTranslations("approvals.plan");
  if (calls.length === 0) return null;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {calls.slice(0, SHOWN).map(({ id, tool, status }) => (
        <Node key={id} tool={tool} status={status} />
      ))}
      {calls.length > SHOWN && <span className="text-11 text-fg-3">{t("more", { count: calls.length - SHOWN })}</span>}
    </div>
  );
}

const LOOK: Partial<Record<ShownCallStatus, string>> = {
  planned: "border-dotted border-line-control",
  parked: "border-st-waiting bg-st-waiting-bg",
  failed: "border-st-failed",
  skipped: "border-dashed border-line-control",
  superseded: "border-dashed border-line-control",
  cancelled: "border-dashed border-line-control",
  blocked: "border-st-blocked",
  denied: "border-st-denied",
};

function Node({ tool, status, own = false }: { tool: string; status: ShownCallStatus; own?: boolean }) {
  const t = useTranslations("events.call_status");
  const look = `${LOOK[status] ?? "border-line-strong"} ${own ? "font-semibold" : ""}`;
  return (
    <span
      className={`inline-flex h-6.5 phone:h-11 min-w-0 items-center gap-1.25 rounded-2 border px-1.75 text-11 ${look}`}
    >
      <StatusIcon status={status} size={14} label={t(status)} />
      <span className="min-w-0 truncate">{tool}</span>
    </span>
  );
}

function Arrow() {
  return <Icon name="right" size={14} className="text-fg-3" />;
}

/** What approving and denying lead to, as far as the plan says. */
function Consequences({ item, plan: { call, after } }: { item: ListedConfirmation; plan: InPlan }) {
  const t = useTranslations("approvals.plan");
  const paths = [...new Set((call.output ?? []).flat().map(printReference))].slice(0, SHOWN);
  const pills = paths.map((path) => <PathPill key={path} path={path} />);
  const next = [...new Set(after.map(({ tool }) => tool))].slice(0, SHOWN).join(", ");
  const again = item.cause === "interrupted";
  return (
    <div className="two-columns">
      <Answer title={t("ifApproved")} status="succeeded">
        <li>{t(again ? "runsAgain" : "runs", { tool: call.tool })}</li>
        {pills.length > 0 && (
          <li>
            {t("writes")} {pills}
          </li>
        )}
        {next && <li>{t("goesOn", { tools: next })}</li>}
      </Answer>
      <Answer title={t("ifDenied")} status="denied">
        <li>{t(again ? "staysAsItIs" : "nothingSent", { tool: call.tool })}</li>
        {pills.length > 0 && (
          <li>
            {pills} {t("neverArrives")}
          </li>
        )}
        <li>{t("reads")}</li>
      </Answer>
    </div>
  );
}

function Answer({ title, status, children }: { title: string; status: "succeeded" | "denied"; children: ReactNode }) {
  return (
    <Section
      title={
        <>
          <Icon name={STATUS[status].icon} size={14} className={STATUS_INK[STATUS[status].token]} />
          {title}
        </>
      }
    >
      <ul className="answer">{children}</ul>
    </Section>
  );
}
