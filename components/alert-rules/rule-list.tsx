"use client";

import "./alert-rules.css";
import { useTranslations } from "next-intl";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { MOST_RULES } from "@/lib/alert-rules/rule.ts";
import type { AlertRule } from "@/lib/api/shapes.ts";
import { useRules } from "./queries.ts";
import { RuleState } from "./rule-state.tsx";
import { useRuleWords } from "./use-rule-words.ts";

/** All alert rules with their states. */
export function RuleList() {
  const t = useTranslations("rules");
  const { items: rules, channels } = useRules().data ?? { items: [], channels: null };
  const make = (
    <RequirePermission permission="admin">
      {rules.length < MOST_RULES ? (
        <Link href="/alert-rules/new" className="rule-new">
          <Icon name="plus" size={14} />
          {t("new")}
        </Link>
      ) : (
        <span className="text-fg-2">{t("list.full", { count: MOST_RULES })}</span>
      )}
    </RequirePermission>
  );
  return (
    <main id="main" tabIndex={-1} className="rules">
      <div className="rule-bar">
        <h1>{t("title")}</h1>
        {rules.length > 0 && <span className="text-fg-3">{t("list.count", { count: rules.length })}</span>}
        <span className="grow" />
        {rules.length > 0 && make}
      </div>
      {rules.length === 0 ? (
        <EmptyState icon="warn" title={t("list.empty")} actions={make}>
          {t("list.empty_text")}
        </EmptyState>
      ) : (
        <section className="rule-scroll" tabIndex={0} aria-label={t("title")}>
          <p className="rule-intro">{channels?.length === 0 ? t("list.no_channel") : t("list.intro")}</p>
          <table className="rule-table rule-all">
            <thead>
              <tr>
                <th scope="col">{t("list.state")}</th>
                <th scope="col">{t("list.name")}</th>
                <th scope="col">{t("list.condition")}</th>
                <th scope="col">{t("list.since")}</th>
                <th scope="col">{t("list.told")}</th>
              </tr>
            </thead>
            <tbody>
              {rules.map((rule) => (
                <Row key={rule.id} rule={rule} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </main>
  );
}

function Row({ rule }: { rule: AlertRule }) {
  const t = useTranslations("rules.list");
  const words = useRuleWords();
  const { id, name, condition, enabled, since, told_at } = rule;
  return (
    <tr>
      <td>
        <RuleState rule={rule} />
      </td>
      <th scope="row">
        <Link href={`/alert-rules/${id}`}>{name}</Link>
      </th>
      <td className="rule-says">
        {words.sentence(condition)}
        {words.filters(condition).map((filter) => (
          <span key={filter} className="rule-filter">
            {filter}
          </span>
        ))}
      </td>
      <td className="text-fg-2 tabular-nums" data-label={t("since")}>
        {enabled && words.time(since)}
      </td>
      <td className="text-fg-2 tabular-nums" data-label={t("told")}>
        {told_at !== null && words.time(told_at)}
      </td>
    </tr>
  );
}
