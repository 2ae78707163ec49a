import { useTranslations } from "next-intl";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import type { AlertRule } from "@/lib/api/shapes.ts";

type Shown = AlertRule["state"] | "off" | "muted";

const ICONS: Record<Shown, IconName> = {
  new: "planned",
  ok: "succeeded",
  firing: "failed",
  no_data: "planned",
  off: "cancelled",
  muted: "pause",
};

/** The state of a rule as it is shown: one that is muted is told apart while it fires. */
export function shownStateOf({ enabled, state, muted_until }: AlertRule, now: number): Shown {
  if (!enabled) return "off";
  return muted_until !== null && Date.parse(muted_until) > now ? "muted" : state;
}

/** The state of a rule with its mark. */
export function RuleState({ rule }: { rule: AlertRule }) {
  const t = useTranslations("rules.state");
  const shown = shownStateOf(rule, Date.now());
  const isMutedFiring = shown === "muted" && rule.state === "firing";
  return (
    <span className="rule-state" data-state={isMutedFiring ? "firing" : shown} suppressHydrationWarning>
      <Icon name={ICONS[shown]} size={14} />
      {t(shown)}
      {isMutedFiring && `, ${t("firing").toLowerCase()}`}
    </span>
  );
}
