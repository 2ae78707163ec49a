"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { IconButton } from "@/components/ui/icon-button.tsx";
import { expressionAt, type Joining, joined } from "@/lib/plan/edit/connect.ts";
import { printValue } from "@/lib/plan/edit/print-call.ts";
import { removeValue, setValue } from "@/lib/plan/edit/set-value.ts";
import { pointerTo } from "@/lib/plan/problem.ts";
import {
  type Expression,
  type Path,
  parseReference,
  printExpression,
  printReference,
  valueAt,
} from "@/lib/plan/reference.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { findLostNumber } from "@/lib/session/json/json-number.ts";
import { typeOf } from "../editor/known-paths.ts";
import { CommittedField, type Refused } from "./committed-field.tsx";
import { fieldKind, resolved } from "./field-kind.ts";
import { type AskedValue, fittingPaths } from "./fitting-paths.ts";
import { PathPicker } from "./path-picker.tsx";
import type { EditedCall } from "./use-edited-call.ts";

interface ParameterFieldProps {
  edited: EditedCall;
  /** The parameter, or a part of it. */
  path: Path;
  asked: AskedValue;
  isRequired: boolean;
}

/** A parameter by its schema: a value, or references that can be joined by `&&` and `||`. */
export function ParameterField(props: ParameterFieldProps) {
  const { edited, path, asked, isRequired } = props;
  const t = useTranslations("playground.form");
  const id = useId();
  const name = path.join(".");
  const value = valueAt(edited.call, path);
  const expression = expressionAt(edited.call, path);
  const kind = fieldKind(asked, value, path.length);
  const schema = resolved(asked);
  const write = (next: Json) => edited.edit((plan) => setValue(plan, edited.id, path, next), t("said.set", { name }));
  const clear = () => edited.edit((plan) => removeValue(plan, edited.id, path), t("said.cleared", { name }));
  const read = (reference: string, joining: Joining) => {
    const parsed = parseReference(reference);
    if (parsed.ok) write(printExpression(joined(expression, parsed.value, joining)));
  };
  const paths = () => fittingPaths(edited.paths, edited.read, edited.id, asked);
  const isNested = kind.kind === "object" && !expression;
  const problems = isNested ? edited.problemsAt(pointerTo(path), true) : edited.problemsAt(pointerTo(path));
  const picker = (label: string, joining: Joining, content: ReactNode) => (
    <PathPicker label={label} paths={paths} onPick={(found) => read(found, joining)} className={JOIN}>
      {content}
    </PathPicker>
  );
  return (
    <div className={isNested ? "rounded-2 border border-line p-2" : undefined}>
      <div className="flex min-h-6 items-center gap-1.5">
        <span className="min-w-0 truncate font-mono text-11 font-medium" title={name}>
          {String(path.at(-1))}
        </span>
        <span className="flex-none text-11 text-fg-3">{typeOf(schema)}</span>
        {isRequired && <span className="flex-none text-11 text-fg-3">{t("required")}</span>}
        <span className="flex-1" />
        {value !== undefined && <IconButton icon="close" name={t("clear", { name })} onClick={clear} />}
        {!expression && picker(t("read", { name }), "replace", t("pick"))}
      </div>
      {expression ? (
        <References
          name={name}
          expression={expression}
          onChange={(next) => (next.length === 0 ? clear() : write(printExpression(next)))}
          joins={
            <>
              {picker(t("fallback", { name }), "fallback", t("addFallback"))}
              {picker(t("gate", { name }), "gate", t("addGate"))}
            </>
          }
        />
      ) : isNested ? (
        <div className="flex flex-col gap-2">
          {Object.entries(kind.properties).map(([key, part]) => (
            <ParameterField
              key={key}
              edited={edited}
              path={[...path, key]}
              asked={{ schema: part, root: asked.root }}
              isRequired={kind.required.has(key)}
            />
          ))}
        </div>
      ) : kind.kind === "choice" || kind.kind === "boolean" ? (
        <select
          aria-label={name}
          aria-required={isRequired}
          className={FIELD}
          value={value === undefined ? "" : JSON.stringify(value)}
          onChange={({ target }) => (target.value === "" ? clear() : write(JSON.parse(target.value)))}
        >
          <option value="">{t("unset")}</option>
          {(kind.kind === "choice" ? kind.values : [true, false]).map((one) => (
            <option key={JSON.stringify(one)} value={JSON.stringify(one)}>
              {typeof one === "string" ? one : JSON.stringify(one)}
            </option>
          ))}
        </select>
      ) : (
        <CommittedField
          label={name}
          isRequired={isRequired}
          lines={kind.kind !== "number"}
          mono={kind.kind === "json"}
          {...(kind.kind === "number" && { inputMode: "decimal" })}
          isInvalid={problems.some(({ severity }) => severity === "error")}
          describedBy={problems.length > 0 ? id : undefined}
          placeholder={placeholderOf(schema.default) ?? placeholderOf(schema.examples)}
          value={
            value === undefined ? "" : typeof value === "string" && kind.kind === "text" ? value : printValue(value, "")
          }
          onCommit={(typed) => {
            if (typed === "") {
              clear();
              return null;
            }
            const parsed =
              kind.kind === "text" || typed.startsWith("†")
                ? { value: typed }
                : parseTyped(typed, kind.kind === "number" ? "number" : "json");
            if ("refused" in parsed) return parsed.refused;
            write(parsed.value);
            return null;
          }}
        />
      )}
      {typeof schema.description === "string" && problems.length === 0 && (
        <p className="mt-0.5 line-clamp-2 text-11 text-pretty text-fg-3" title={schema.description}>
          {schema.description}
        </p>
      )}
      <div id={id}>
        {problems.map(({ severity, sentence }) => (
          <p
            key={sentence}
            className={`mt-0.5 text-11 text-pretty wrap-anywhere ${severity === "error" ? "text-st-failed" : "text-fg-3"}`}
          >
            {sentence}
          </p>
        ))}
      </div>
    </div>
  );
}

const JOIN =
  "inline-flex h-6 phone:h-11 min-w-6 flex-none items-center justify-center gap-1 rounded-1 px-1.5 text-11 text-fg-2 hover:bg-hover hover:text-fg";

interface ReferencesProps {
  name: string;
  expression: Expression;
  joins: ReactNode;
  onChange: (next: Expression) => void;
}

/** The references of a parameter, a row each, with how they are joined. */
function References({ name, expression, joins, onChange }: ReferencesProps) {
  const t = useTranslations("playground.form");
  const without = (alternative: number, member: number): Expression =>
    expression
      .map((gate, index) => (index === alternative ? gate.toSpliced(member, 1) : gate))
      .filter((gate) => gate.length > 0);
  return (
    <div className="rounded-2 border border-line-control bg-surface">
      <ul aria-label={t("readsFrom", { name })}>
        {expression.flatMap((gate, alternative) =>
          gate.map((reference, member) => {
            const printed = printReference(reference);
            const sign = member > 0 ? "&&" : alternative > 0 ? "||" : "";
            return (
              <li
                // biome-ignore lint/suspicious/noArrayIndexKey: a path can stand in several places
                key={`${alternative} ${member}`}
                className="flex items-center gap-1 pl-2 not-first:border-line not-first:border-t"
              >
                {sign && <span className="w-4 flex-none font-mono text-11 text-fg-3">{sign}</span>}
                <span className="min-w-0 flex-1 truncate font-mono text-11" title={printed}>
                  {printed}
                </span>
                <IconButton
                  icon="close"
                  name={t("removeReference", { path: printed })}
                  onClick={() => onChange(without(alternative, member))}
                />
              </li>
            );
          }),
        )}
      </ul>
      <div className="flex gap-1 border-line border-t p-0.5">
        <Icon name="plus" size={12} className="mt-1.5 ml-1.5 flex-none text-fg-3" />
        {joins}
      </div>
    </div>
  );
}

function parseTyped(typed: string, kind: "number" | "json"): { value: Json } | { refused: Refused } {
  try {
    const value: Json = JSON.parse(typed);
    if (kind === "number" && typeof value !== "number") return { refused: "number" };
    return findLostNumber(typed) ? { refused: "inexact" } : { value };
  } catch {
    return { refused: kind };
  }
}

function placeholderOf(example: Json | undefined): string | undefined {
  const one = Array.isArray(example) ? example[0] : example;
  if (one === undefined || one === null || isJsonObject(one)) return undefined;
  return typeof one === "string" ? one : JSON.stringify(one);
}
