"use client";

import "./alert-rules.css";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { RequirePermission } from "@/components/access/require-permission.tsx";
import { useHasPermission } from "@/components/access/use-has-permission.ts";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { AlertRule, Backtest } from "@/lib/api/shapes.ts";
import { conditionOf, draftOf, faultsOf, NEW_RULE, type RuleDraft } from "./draft.ts";
import { History } from "./history.tsx";
import { Past } from "./past.tsx";
import { type KnownRule, useBacktest, useMuteRule, useRemoveRule, useRule, useSaveRule } from "./queries.ts";
import { RuleForm } from "./rule-form.tsx";
import { RuleState, shownStateOf } from "./rule-state.tsx";
import { useRuleWords } from "./use-rule-words.ts";

/** How long a change rests before the past is read again, ms. */
const SETTLED_MS = 250;

/** A rule: what it watches, what it would have done, and what it did. `known` is null for a new one. */
export function RulePage({ known }: { known: KnownRule | null }) {
  const t = useTranslations("rules");
  const router = useRouter();
  const mayWrite = useHasPermission("admin");
  const { data } = useRule(known);
  const [draft, setDraft] = useState<RuleDraft>(() =>
    known ? draftOf(known.rule.name, known.rule.enabled, known.rule.condition) : NEW_RULE,
  );
  const [days, setDays] = useState<7 | 30>(7);
  const settled = useSettled(draft, SETTLED_MS);
  const condition = conditionOf(settled);
  const { data: past } = useBacktest(condition, days);
  const save = useSaveRule(known?.rule.id ?? null);
  const written = conditionOf(draft);
  const submit = () => {
    if (!written || save.isPending) return;
    save.mutate(
      { name: draft.name.trim(), condition: written, enabled: draft.enabled },
      { onSuccess: ({ id }) => known === null && router.push(`/alert-rules/${id}`) },
    );
  };
  const faults = faultsOf(draft);
  return (
    <main id="main" tabIndex={-1} className="rules">
      <div className="rule-bar">
        <Link href="/alert-rules" className="touch text-fg-3 hover:text-fg">
          {t("title")}
        </Link>
        <span aria-hidden className="text-fg-3">
          /
        </span>
        <h1 className="min-w-0 truncate">{data?.rule.name ?? t("new")}</h1>
        {data && <RuleState rule={data.rule} />}
        <span className="grow" />
        {data && <Actions rule={data.rule} />}
      </div>
      <div className="rule-body">
        <form
          noValidate
          className="rule-side"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <RuleForm
            draft={draft}
            onChange={(changed) => {
              setDraft(changed);
              save.reset();
            }}
            isReadOnly={!mayWrite}
            currency={past?.currency ?? null}
          >
            <div className="flex flex-wrap items-center gap-2">
              <RequirePermission permission="admin">
                <Button type="submit" variant="primary" disabled={faults.length > 0}>
                  {known !== null ? t("save") : draft.enabled ? t("make") : t("make_off")}
                </Button>
              </RequirePermission>
              {mayWrite && faults[0] !== undefined && (
                <span role="status" className="text-fg-2">
                  {t(`fault.${faults[0]}`)}
                </span>
              )}
              {save.isSuccess && (
                <span role="status" className="text-fg-2">
                  {t("saved")}
                </span>
              )}
            </div>
            <Refusal error={save.error} />
          </RuleForm>
        </form>
        <div className="rule-main">
          <Past {...{ condition, days }} past={usable(past, condition !== null)} onDays={setDays} />
          {data && <History firings={data.firings} condition={data.rule.condition} currency={past?.currency ?? null} />}
        </div>
      </div>
    </main>
  );
}

function usable(past: Backtest | undefined, isComplete: boolean): Backtest | undefined {
  return isComplete ? past : undefined;
}

/** A value after it has not changed for a while. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  // The outside system is time.
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

const MUTES = [1, 24] as const;

function Actions({ rule }: { rule: AlertRule }) {
  const t = useTranslations("rules");
  const words = useRuleWords();
  const router = useRouter();
  const mute = useMuteRule(rule.id);
  const remove = useRemoveRule(rule.id);
  const [isRemoving, setRemoving] = useState(false);
  const isMuted = shownStateOf(rule, Date.now()) === "muted";
  return (
    <>
      {isMuted && rule.muted_until !== null && (
        <span className="text-fg-2">{t("muted_until", { time: words.time(rule.muted_until) })}</span>
      )}
      <RequirePermission permission="operate">
        {isMuted ? (
          <Button onClick={() => mute.mutate(null)}>{t("unmute")}</Button>
        ) : (
          MUTES.map((hours) => (
            <Button
              key={hours}
              className={hours === MUTES[0] ? "" : "max-md:hidden"}
              onClick={() => mute.mutate(new Date(Date.now() + hours * 3_600_000).toISOString())}
            >
              {t("mute", { hours })}
            </Button>
          ))
        )}
      </RequirePermission>
      <RequirePermission permission="admin">
        <Button variant="danger" onClick={() => setRemoving(true)}>
          {t("remove")}
        </Button>
      </RequirePermission>
      {isRemoving && (
        <FormDialog
          title={t("remove")}
          submit={t("remove")}
          leave={t("cancel")}
          danger
          busy={remove.isPending}
          onSubmit={() => remove.mutate(undefined, { onSuccess: () => router.push("/alert-rules") })}
          onClose={() => setRemoving(false)}
        >
          <p>{t("remove_sure", { name: rule.name })}</p>
          <Refusal error={remove.error} />
        </FormDialog>
      )}
    </>
  );
}
