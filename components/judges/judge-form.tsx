"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormDialog } from "@/components/admin/form-dialog.tsx";
import { FIELD, Labelled } from "@/components/decision/form.tsx";
import { Refusal } from "@/components/decision/refusal.tsx";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import { Button } from "@/components/ui/button.tsx";
import type { Judge } from "@/lib/api/shapes.ts";
import { type GivenJudge, useRemoveJudge, useWriteJudge } from "./queries.ts";

const KINDS = ["boolean", "number", "category"] as const;

/** What a new judge begins with. */
const USUAL = {
  name: "",
  score: "",
  agent: "",
  prompt: "{{transcript}}",
  rubric: "",
  kind: "boolean",
  min: "1",
  max: "5",
  values: "",
  share: "10",
  daily_tokens: "200000",
  model: "",
  enabled: true,
};

type Draft = Omit<typeof USUAL, "kind"> & { kind: (typeof KINDS)[number] };

/** Writes a judge: what it is asked, on which scale it answers, which turns it judges, and what it may use. */
export function JudgeForm({ judge, onClose }: { judge: Judge | null; onClose: () => void }) {
  const t = useTranslations("judges");
  const facets = useFacets();
  const write = useWriteJudge();
  const [draft, setDraft] = useState<Draft>(() => draftOf(judge));
  const [isRemoving, setRemoving] = useState(false);
  const text = (
    name: Exclude<keyof Draft, "enabled" | "kind">,
    more: { required?: boolean; number?: boolean } = {},
  ) => (
    <input
      className={FIELD}
      value={draft[name]}
      required={more.required}
      inputMode={more.number ? "decimal" : undefined}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
    />
  );
  const area = (name: "prompt" | "rubric", rows: number) => (
    <textarea
      className={`${FIELD} resize-y py-1.5`}
      rows={rows}
      value={draft[name]}
      required={name === "prompt"}
      onChange={({ target }) => setDraft({ ...draft, [name]: target.value })}
    />
  );
  return (
    <>
      <form
        aria-label={judge ? t("change", { name: judge.name }) : t("add")}
        className="judge-form"
        onSubmit={(event) => {
          event.preventDefault();
          write.mutate(givenBy(draft), { onSuccess: onClose });
        }}
      >
        <div className="judge-fields">
          {judge === null && <Labelled label={t("name")}>{text("name", { required: true })}</Labelled>}
          <Labelled label={t("score")}>{text("score", { required: true })}</Labelled>
          <Labelled label={t("agent")}>
            <select
              className={FIELD}
              value={draft.agent}
              onChange={({ target }) => setDraft({ ...draft, agent: target.value })}
            >
              <option value="">{t("any_agent")}</option>
              {[...new Set([...(facets?.agents ?? []), draft.agent])]
                .filter((agent) => agent !== "")
                .map((agent) => (
                  <option key={agent}>{agent}</option>
                ))}
            </select>
          </Labelled>
          <Labelled label={t("scale")}>
            <select
              className={FIELD}
              value={draft.kind}
              onChange={({ target }) =>
                setDraft({ ...draft, kind: KINDS.find((kind) => kind === target.value) ?? "boolean" })
              }
            >
              {KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {t(`scales.${kind}`)}
                </option>
              ))}
            </select>
          </Labelled>
          {draft.kind === "number" && (
            <>
              <Labelled label={t("min")}>{text("min", { required: true, number: true })}</Labelled>
              <Labelled label={t("max")}>{text("max", { required: true, number: true })}</Labelled>
            </>
          )}
          {draft.kind === "category" && <Labelled label={t("values")}>{text("values", { required: true })}</Labelled>}
          <Labelled label={t("share_percent")}>{text("share", { required: true, number: true })}</Labelled>
          <Labelled label={t("daily_tokens")}>{text("daily_tokens", { required: true, number: true })}</Labelled>
          <Labelled label={t("model")}>{text("model")}</Labelled>
        </div>
        <div className="judge-texts">
          <Labelled label={t("prompt")}>{area("prompt", 6)}</Labelled>
          <Labelled label={t("rubric")}>{area("rubric", 6)}</Labelled>
        </div>
        <p className="text-11 text-fg-3">{t("placeholders")}</p>
        <Refusal error={write.error} />
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary" disabled={write.isPending}>
            {t("save")}
          </Button>
          <Button onClick={onClose}>{t("cancel")}</Button>
          {judge && (
            <Button variant="danger" onClick={() => setRemoving(true)}>
              {t("remove")}
            </Button>
          )}
          <label className="ml-auto flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              checked={draft.enabled}
              onChange={({ target }) => setDraft({ ...draft, enabled: target.checked })}
            />
            {t("enabled")}
          </label>
        </div>
      </form>
      {judge && isRemoving && <RemoveDialog name={judge.name} onRemoved={onClose} onClose={() => setRemoving(false)} />}
    </>
  );
}

/** Asks whether to remove a judge. */
function RemoveDialog({ name, onRemoved, onClose }: { name: string; onRemoved: () => void; onClose: () => void }) {
  const t = useTranslations("judges");
  const remove = useRemoveJudge(name);
  return (
    <FormDialog
      title={t("remove")}
      submit={t("remove")}
      leave={t("cancel")}
      danger
      busy={remove.isPending}
      onSubmit={() => remove.mutate(undefined, { onSuccess: onRemoved })}
      onClose={onClose}
    >
      <p>{t("remove_sure", { name })}</p>
      <Refusal error={remove.error} />
    </FormDialog>
  );
}

function draftOf(judge: Judge | null): Draft {
  if (judge === null) return { ...USUAL, kind: "boolean" };
  const { name, score, agent, prompt, rubric, scale, share, daily_tokens, model, enabled } = judge;
  return {
    ...{ ...USUAL, name, score, prompt, rubric, enabled, kind: scale.kind },
    ...{ agent: agent ?? "", model: model ?? "", daily_tokens: String(daily_tokens) },
    share: String(Number((share * 100).toPrecision(6))),
    ...(scale.kind === "number" && { min: String(scale.min), max: String(scale.max) }),
    ...(scale.kind === "category" && { values: scale.values.join(", ") }),
  };
}

/** What is sent; the API says what is wrong with it. */
function givenBy({ agent, model, share, daily_tokens, kind, min, max, values, ...draft }: Draft): GivenJudge {
  return {
    ...draft,
    ...{ agent: agent || null, model: model.trim() || null },
    ...{ share: numberOf(share) / 100, daily_tokens: numberOf(daily_tokens) },
    scale: scaleOf({ kind, min, max, values }),
  };
}

function scaleOf({ kind, min, max, values }: Pick<Draft, "kind" | "min" | "max" | "values">): Judge["scale"] {
  switch (kind) {
    case "boolean":
      return { kind };
    case "number":
      return { kind, min: numberOf(min), max: numberOf(max) };
    case "category":
      return {
        kind,
        values: values
          .split(",")
          .map((value) => value.trim())
          .filter((value) => value !== ""),
      };
    default:
      return kind satisfies never;
  }
}

/** Of a number with a decimal comma as well. */
function numberOf(text: string): number {
  return Number(text.trim().replace(",", "."));
}
