"use client";

import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { freePath, outputPathOf, renamePath } from "@/lib/plan/edit/paths.ts";
import { removeValue, setValue } from "@/lib/plan/edit/set-value.ts";
import { type OutputPath, parsePath, type Target } from "@/lib/plan/output-path.ts";
import { printExpression, printReference } from "@/lib/plan/reference.ts";
import type { PlanEditor } from "../canvas/use-plan-editor.ts";
import { CommittedField } from "./committed-field.tsx";
import type { EditedCall } from "./use-edited-call.ts";

interface OutputFieldsProps {
  edited: EditedCall;
  editor: PlanEditor;
}

/** Where the result goes: alternatives (`||`) of targets (`&&`). */
export function OutputFields({ edited, editor }: OutputFieldsProps) {
  const t = useTranslations("playground.form");
  const { id, call } = edited;
  const output: OutputPath = outputPathOf(call._outputPath) ?? [];
  const problems = edited.problemsAt("/_outputPath");
  const write = (next: OutputPath) =>
    edited.edit(
      (plan) =>
        next.length === 0
          ? removeValue(plan, id, ["_outputPath"])
          : setValue(plan, id, ["_outputPath"], printExpression(next)),
      t("said.set", { name: t("output") }),
    );
  const changed = (alternative: number, member: number, ...targets: Target[]): OutputPath =>
    output
      .map((fanOut, index) => (index === alternative ? fanOut.toSpliced(member, 1, ...targets) : fanOut))
      .filter((fanOut) => fanOut.length > 0);
  /** A path that only this call writes is renamed where it is read, too. */
  const rename = (alternative: number, member: number, from: Target, to: Target) => {
    const next = printReference(from);
    const writers = edited.read.calls.filter((one) =>
      one.outputPath?.flat().some((target) => printReference(target) === next),
    );
    if (writers.length > 1 || from.path.length === 0) write(changed(alternative, member, to));
    else edited.edit((plan) => renamePath(plan, from.path, to.path), t("said.renamed", { path: printReference(to) }));
  };
  return (
    <div className="flex flex-col gap-1">
      {output.flatMap((fanOut, alternative) =>
        fanOut.map((target, member) => {
          const printed = printReference(target);
          const sign = member > 0 ? "&&" : alternative > 0 ? "||" : "";
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a target has no other identity while it is renamed
            <div key={`${alternative} ${member}`} className="flex items-start gap-1">
              {output.flat().length > 1 && (
                <span className="mt-1.5 w-4 flex-none font-mono text-11 text-fg-3">{sign}</span>
              )}
              <div className="min-w-0 flex-1">
                <CommittedField
                  label={t("target", { number: alternative + 1 })}
                  mono
                  value={printed}
                  onCommit={(typed) => {
                    const parsed = parsePath(typed.trim());
                    if (!parsed.ok) return "path";
                    rename(alternative, member, target, parsed.value);
                    return null;
                  }}
                />
              </div>
              <IconButton
                icon="plus"
                name={t("alsoWrite", { path: printed })}
                onClick={() => {
                  const extra = freePath({ calls: edited.read.plan }, `${id}_copy`, output.flat());
                  write(changed(alternative, member, target, extra));
                }}
              />
              <IconButton
                icon="close"
                name={t("removeReference", { path: printed })}
                onClick={() => write(changed(alternative, member))}
              />
            </div>
          );
        }),
      )}
      {output.length === 0 && <p className="text-11 text-pretty text-fg-3">{t("noOutput")}</p>}
      {problems.map(({ severity, sentence }) => (
        <p
          key={sentence}
          className={`text-11 text-pretty wrap-anywhere ${severity === "error" ? "text-st-failed" : "text-fg-3"}`}
        >
          {sentence}
        </p>
      ))}
      <div className="flex flex-wrap gap-1">
        {output.length === 0 ? (
          <Button variant="ghost" onClick={() => write([[freePath({ calls: edited.read.plan }, id)]])}>
            <Icon name="plus" size={12} />
            {t("addOutput")}
          </Button>
        ) : (
          <>
            <Button variant="ghost" onClick={() => editor.addAlternative(id, "branch")}>
              <Icon name="plus" size={12} />
              {t("addBranch")}
            </Button>
            <Button variant="ghost" onClick={() => editor.addAlternative(id, "error")}>
              <Icon name="plus" size={12} />
              {t("addError")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
