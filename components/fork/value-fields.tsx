"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import type { JsonErrorKind } from "@/components/agents/entry/json-draft.ts";
import { FIELD } from "@/components/decision/form.tsx";
import { PICK } from "@/components/studio/header/run-menu.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";
import type { Session } from "@/lib/session/session.ts";
import { type FieldErrors, type KnownValue, knownValues, type ValueDraft } from "./fork-draft.ts";
import { JSON_FIELD } from "./plan-field.tsx";

interface ValueFieldsProps {
  session: Session;
  values: readonly ValueDraft[];
  flawed: FieldErrors;
  onChange: (values: readonly ValueDraft[]) => void;
}

/** Values of the state at their paths, to be changed in the fork. */
export function ValueFields({ session, values, flawed, onChange }: ValueFieldsProps) {
  const t = useTranslations("fork.values");
  const add = (known: KnownValue) =>
    onChange([...values, { ...known, id: Math.max(0, ...values.map(({ id }) => id)) + 1 }]);
  return (
    <section aria-label={t("title")}>
      <h3 className="font-medium">{t("title")}</h3>
      <p className="mt-1 text-pretty text-fg-3">{t("note")}</p>
      {values.map((value) => (
        <ValueField
          key={value.id}
          value={value}
          flaw={flawed.get(value.id)}
          onChange={(part) => onChange(values.map((one) => (one === value ? { ...value, ...part } : one)))}
          onRemove={() => onChange(values.filter((one) => one !== value))}
        />
      ))}
      <AddValue known={knownValues(session)} onAdd={add} />
    </section>
  );
}

function AddValue({ known, onAdd }: { known: KnownValue[]; onAdd: (known: KnownValue) => void }) {
  const t = useTranslations("fork.values");
  return (
    <div className="mt-1.5">
      <Menu
        className={PICK}
        trigger={
          <>
            <Icon name="plus" size={14} />
            {t("add")}
            <Icon name="down" size={12} />
          </>
        }
      >
        {known.map((one) => (
          <MenuItem key={`${one.instance} ${one.path}`} onSelect={() => onAdd(one)}>
            {one.instance !== "" && <span className="text-fg-3">{one.instance}</span>}
            <code className="truncate font-mono text-11">{one.path}</code>
          </MenuItem>
        ))}
        {known.length > 0 && <MenuSeparator />}
        <MenuItem onSelect={() => onAdd({ instance: "", path: "†state.", text: "" })}>{t("other")}</MenuItem>
      </Menu>
    </div>
  );
}

interface ValueFieldProps {
  value: ValueDraft;
  flaw: JsonErrorKind | undefined;
  onChange: (part: Partial<ValueDraft>) => void;
  onRemove: () => void;
}

function ValueField({ value: { instance, path, text }, flaw, onChange, onRemove }: ValueFieldProps) {
  const t = useTranslations("fork.values");
  const id = useId();
  const of = instance === "" ? path : `${instance} ${path}`;
  return (
    <div className="mt-2 flex flex-col gap-1">
      <div className="flex items-center gap-1.5">
        {instance !== "" && <span className="flex-none text-fg-3">{instance}</span>}
        <input
          aria-label={t("path")}
          value={path}
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          onChange={({ target }) => onChange({ path: target.value })}
          className={`${FIELD} font-mono text-11`}
        />
        <Button
          variant="ghost"
          square
          onClick={onRemove}
          aria-label={t("remove", { path: of })}
          title={t("remove", { path: of })}
        >
          <Icon name="close" size={14} />
        </Button>
      </div>
      <textarea
        aria-label={t("value", { path: of })}
        aria-invalid={flaw !== undefined || undefined}
        aria-describedby={flaw ? id : undefined}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        value={text}
        onChange={({ target }) => onChange({ text: target.value })}
        className={JSON_FIELD}
      />
      {flaw && (
        <p id={id} role="alert" className="text-st-failed">
          {t(flaw === "number" ? "inexact" : "flawed")}
        </p>
      )}
    </div>
  );
}
