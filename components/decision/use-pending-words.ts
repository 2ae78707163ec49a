"use client";

import { useTranslations } from "next-intl";
import { changesOf, figuresOf } from "@/components/approvals/item/changes.ts";
import { useFieldName } from "@/components/approvals/item/use-field-name.ts";
import { askedFor } from "@/components/format/asked-for.ts";
import { useShortValue } from "@/components/format/use-short-value.ts";
import type { Pending, PendingDecision } from "./pending.ts";

/** A decision in two lines: `Approve: Amount 99,000 → 120,000`, and the action. */
export function usePendingWords(): (one: Pending) => { will: string; about: string } {
  const t = useTranslations("decision.pending");
  const fieldName = useFieldName();
  const short = useShortValue();
  return (one) => {
    if (one.kind === "handBack") {
      const { name, alertsOnly } = one.conversation;
      return { will: t("will", { kind: t(alertsOnly ? "closeAlerts" : "handBack"), what: name }), about: "" };
    }
    const { items, body } = one;
    const [item] = items;
    if (items.length !== 1 || !item)
      return {
        will: t(body.decision === "approve" ? "approveMany" : "denyMany", { count: items.length }),
        about: items.map(askedFor).join(", "),
      };
    const about = askedFor(item);
    const name = kindOf(body, item.cause === "interrupted");
    // Value changes are not shown for denials and completed actions.
    const isChange = name === "approve" || name === "edit";
    const params = body.action?.params ?? item.action?.params ?? null;
    const [change, ...more] = isChange ? changesOf(params, item.before, null) : [];
    if (!change) return { will: t("will", { kind: t(name), what: about }), about: "" };
    const { before, after } = figuresOf(change) ?? change;
    const field = change.name.split(".").at(-1) ?? "";
    const from = before === undefined || before === null ? "" : `${short(before)} → `;
    const rest = more.length > 0 ? ` +${more.length}` : "";
    return {
      will: t("will", { kind: t(name), what: `${fieldName(field) ?? field} ${from}${short(after)}${rest}` }),
      about,
    };
  };
}

function kindOf(body: PendingDecision["body"], interrupted: boolean) {
  if (body.decision === "deny") return "deny";
  if (body.result !== undefined) return "record";
  if (body.action !== undefined) return "edit";
  return interrupted ? "runAgain" : "approve";
}
