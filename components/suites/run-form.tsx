"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { useAgents } from "@/components/agents/use-agents.ts";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { Button } from "@/components/ui/button.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import type { SuiteCase, SuiteRun, SuiteRunReport } from "@/lib/api/shapes.ts";
import { isJsonObject } from "@/lib/session/json/json.ts";
import { useAgentVersion, useStartRun } from "./queries.ts";
import { useSuiteWords } from "./use-suite-words.ts";

const RULES = ["stop", "nearest", "stub"] as const;
const TRIES = [1, 3, 5, 10];
const USUAL_TRIES = 3;

interface RunFormProps {
  name: string;
  cases: readonly SuiteCase[];
  /** The run that is looked at: the form begins with its version. */
  told: SuiteRunReport | null;
  model: string;
  onClose: () => void;
  onStarted: (run: SuiteRun) => void;
}

/** Changes an agent's instructions and runs the suite with them. Nothing of the agent changes until it is promoted. */
export function RunForm({ name, cases, told, model, onClose, onStarted }: RunFormProps) {
  const t = useTranslations("suites");
  const words = useSuiteWords();
  const { data: agents = [] } = useAgents();
  const start = useStartRun(name);
  const last = told?.run ?? null;
  const [agentId, setAgentId] = useState<string | null>(last?.agent_id ?? null);
  const [draft, setDraft] = useState<string | null>(null);
  const [tries, setTries] = useState(Math.max(USUAL_TRIES, last?.tries ?? 0));
  const [rule, setRule] = useState<SuiteRun["rule"]>(last?.rule ?? "stop");
  const [other, setOther] = useState("");
  const agent = agents.find(({ id }) => id === agentId) ?? agents.find((one) => one.default) ?? agents[0] ?? null;
  const { data: tried } = useAgentVersion(
    last?.agent_id ?? "",
    last?.agent_id === agent?.id ? (last?.version ?? null) : null,
  );
  const definition = tried?.definition ?? null;
  const ofRun =
    isJsonObject(definition) && typeof definition.instructions === "string" ? definition.instructions : null;
  const registered = agent?.instructions ?? "";
  const instructions = draft ?? ofRun ?? registered;
  const before = told?.report.cost && told.report.cost.length > 0 ? words.cost(told.report.cost, 1) : null;
  return (
    <aside className="suite-form" aria-label={t("form.title")}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!agent) return;
          start.mutate(
            {
              agent_id: agent.id,
              ...(instructions !== registered && { instructions }),
              ...(other.trim() !== "" && { model: other.trim() }),
              ...{ tries, unrecorded: rule },
            },
            { onSuccess: onStarted },
          );
        }}
      >
        <header>
          <h2>{t("form.title")}</h2>
          <IconButton icon="close" name={t("form.close")} onClick={onClose} />
        </header>
        <div className="suite-form-fields">
          <Labelled label={t("form.agent")}>
            <select
              className={FIELD}
              value={agent?.id ?? ""}
              onChange={({ target }) => {
                setAgentId(target.value);
                setDraft(null);
              }}
            >
              {agents.length === 0 && <option value="">{t("form.none")}</option>}
              {agents.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </select>
          </Labelled>
          <div className="suite-form-text">
            <Labelled label={t("form.instructions")}>
              <textarea
                className={`${FIELD} mono`}
                spellCheck={false}
                value={instructions}
                onChange={({ target }) => setDraft(target.value)}
              />
            </Labelled>
            {instructions !== registered && (
              <Button variant="ghost" className="-ml-1.5 self-start" onClick={() => setDraft(registered)}>
                {t("form.reset")}
              </Button>
            )}
          </div>
          <div className="grid grid-cols-2 gap-3">
            <Labelled label={t("form.tries")}>
              <select className={FIELD} value={tries} onChange={({ target }) => setTries(Number(target.value))}>
                {[...new Set([...TRIES, tries])]
                  .sort((one, two) => one - two)
                  .map((count) => (
                    <option key={count}>{count}</option>
                  ))}
              </select>
            </Labelled>
            <Labelled label={t("form.model")}>
              <input
                className={FIELD}
                value={other}
                placeholder={model}
                spellCheck={false}
                autoComplete="off"
                onChange={({ target }) => setOther(target.value)}
              />
            </Labelled>
          </div>
          <Labelled label={t("form.rule")}>
            <select
              className={FIELD}
              value={rule}
              onChange={({ target }) => setRule(RULES.find((one) => one === target.value) ?? "stop")}
            >
              {RULES.map((one) => (
                <option key={one} value={one}>
                  {t(`form.rules.${one}`)}
                </option>
              ))}
            </select>
          </Labelled>
          <p className="text-fg-2">
            {t("form.price", { tries: tries * cases.length })} {before && t("form.price_before", { value: before })}
          </p>
          <Refusal error={start.error} />
        </div>
        <footer>
          <Button type="submit" variant="primary" disabled={start.isPending || !agent || instructions.trim() === ""}>
            {start.isPending ? t("run.starting") : t("run.start", { count: cases.length })}
          </Button>
        </footer>
      </form>
    </aside>
  );
}
