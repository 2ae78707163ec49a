"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { ApiProblem } from "@/components/client/api.ts";
import { LoadButton } from "@/components/studio/load-button.tsx";
import { useCited } from "@/components/studio/use-cited.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type JsonObject } from "@/lib/session/json/json.ts";
import type { Ref } from "@/lib/session/session.ts";
import { DecisionForm, FIELD, GROWING, Labelled } from "./form.tsx";
import { type FieldFaults, fieldsOf, isAbout, type ParamField, pointerOf, readFields } from "./param-fields.ts";
import type { Decidable } from "./pending.ts";
import type { Decide } from "./use-decide.ts";
import { type RequestInput, useRequestInput } from "./use-request-input.ts";

interface EditFormProps {
  confirmation: Decidable;
  decide: Decide;
  /** A field's label; its path by default. */
  labelOf?: (path: readonly string[]) => ReactNode;
  onBack: () => void;
}

/** A form for the parameters of an action before it is approved; the server validates them again (P22). */
export function EditForm(props: EditFormProps) {
  const params = props.confirmation.action?.params ?? null;
  if (params !== null && isRef(params)) return <LargeParams {...props} cited={params} />;
  return <Fields {...props} params={isJsonObject(params) ? params : {}} />;
}

function LargeParams({ cited, ...props }: EditFormProps & { cited: Ref }) {
  const loaded = useCited(cited);
  if (loaded.value === undefined) return <LoadButton cited={loaded} bytes={cited.bytes} />;
  return <Fields {...props} params={isJsonObject(loaded.value) ? loaded.value : {}} />;
}

const edited: RequestInput<ParamField[]> = new Map();

/** The ids of the changed object are rarely edited. */
const ID = /(^|_)id$/i;

function Fields({ confirmation, decide, labelOf = inDots, onBack, params }: EditFormProps & { params: JsonObject }) {
  const t = useTranslations("decision");
  const asked = fieldsOf(params);
  const [fields, setFields] = useRequestInput(edited, confirmation, () => asked);
  const isEdited = fields.some(({ text }, index) => text !== asked[index]?.text);
  const [unread, setUnread] = useState<FieldFaults>({});
  const first = Math.max(
    0,
    fields.findIndex(({ path }) => !ID.test(path.at(-1) ?? "")),
  );
  const method = confirmation.action?.method ?? "";
  const submit = () => {
    const read = readFields(fields);
    setUnread(read.ok ? {} : read.faults);
    if (read.ok) decide.submit({ decision: "approve", ...(isEdited && { action: { method, params: read.params } }) });
  };
  const write = (written: ParamField, text: string) =>
    setFields(fields.map((field) => (field === written ? { ...field, text } : field)));
  const faultOf = (field: ParamField) => {
    const kind = unread[pointerOf(field)];
    return kind ? t(`fault.${kind}`) : refusedBecause(decide.error, field);
  };
  return (
    <DecisionForm decide={decide} submit={t("approveEdited")} onSubmit={submit} onBack={onBack}>
      {fields.length === 0 && <p className="text-fg-3">{t("noParams")}</p>}
      {fields.map((field, index) => (
        <Labelled key={pointerOf(field)} label={labelOf(field.path)} fault={faultOf(field)}>
          <Field
            field={field}
            invalid={faultOf(field) !== undefined}
            focused={index === first}
            onChange={(text) => write(field, text)}
          />
        </Labelled>
      ))}
    </DecisionForm>
  );
}

const inDots = (path: readonly string[]) => path.join(".");

/** The server's error about a parameter. */
function refusedBecause(error: Error | null, field: ParamField): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  return error.errors.find(({ path }) => isAbout(path, field))?.message;
}

/** Longer texts, and those with several lines, get a textarea. */
const ONE_LINE = 40;

interface FieldProps {
  field: ParamField;
  invalid: boolean;
  focused: boolean;
  onChange: (text: string) => void;
}

function Field({ field: { kind, text }, invalid, focused, onChange }: FieldProps) {
  const t = useTranslations("decision");
  const [initially] = useState(text);
  const common = {
    value: text,
    autoFocus: focused,
    "aria-invalid": invalid || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (kind) {
    case "boolean":
      return (
        <select {...common} className={FIELD}>
          <option value="true">{t("yes")}</option>
          <option value="false">{t("no")}</option>
        </select>
      );
    case "number":
      return <input {...common} inputMode="decimal" autoComplete="off" className={`${FIELD} tabular-nums`} />;
    case "json":
      return <textarea {...common} spellCheck={false} className={`${GROWING} min-h-7! font-mono text-11`} />;
    case "text":
      return initially.length > ONE_LINE || initially.includes("\n") ? (
        <textarea {...common} className={GROWING} />
      ) : (
        <input {...common} autoComplete="off" className={FIELD} />
      );
    default:
      return kind satisfies never;
  }
}
