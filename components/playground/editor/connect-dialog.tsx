"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import type { PlanCall } from "@/lib/plan/call.ts";
import { printReference } from "@/lib/plan/reference.ts";
import { parameterSchema } from "@/lib/plan/schema/tool-schema.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import type { OpenPlan } from "../use-plan.ts";
import { typeOf } from "./known-paths.ts";
import type { KnownTools } from "./toolbox.ts";
import { type WrittenEdge, writeEdge } from "./write-reference.ts";

interface ConnectDialogProps {
  /** The calls of the drawn edge; "" for one that is still to be chosen. */
  from: string;
  to: string;
  plan: OpenPlan;
  onClose: () => void;
  onDraw: (written: WrittenEdge) => void;
}

/** Asks for the parameter at which an edge ends, and writes the reference. */
export function ConnectDialog({ plan, onClose, onDraw, ...drawn }: ConnectDialogProps) {
  const t = useTranslations("playground.connect");
  const { read, known, documents } = plan;
  const [from, setFrom] = useState(drawn.from || (read.ids[0] ?? ""));
  const [to, setTo] = useState(drawn.to || (read.ids.find((id) => id !== from) ?? ""));
  const [path, setPath] = useState<string | null>(null);
  const [own, setOwn] = useState("");
  const writer = read.calls.find(({ id }) => id === from);
  const reader = read.calls.find(({ id }) => id === to);
  const paths = writer?.output?.flat().map(printReference) ?? [];
  const chosen = path !== null && paths.includes(path) ? path : (paths[0] ?? null);
  const parameters = reader ? parametersOf(reader, known) : { known: [], isOpen: false };

  const draw = (parameter: string) => {
    const edge = { writer: read.ids.indexOf(from), reader: read.ids.indexOf(to), parameter, path: chosen, id: from };
    const written = writeEdge(documents.json.plan, edge);
    onClose();
    if (written) onDraw(written);
  };
  const canDraw = writer !== undefined && reader !== undefined && from !== to && documents.values.plan !== null;
  return (
    <dialog
      ref={(dialog) => {
        if (dialog && !dialog.open) dialog.showModal();
      }}
      // The end of the drag would count as a click outside.
      closedby="closerequest"
      onClose={onClose}
      aria-labelledby="connect-title"
      className="dialog w-105 max-w-[94vw] text-12 text-fg"
    >
      <div className="flex flex-col gap-3 p-4">
        <h2 id="connect-title" className="text-13 font-semibold">
          {t("title")}
        </h2>
        <div className="grid grid-cols-2 gap-2">
          <CallChoice label={t("from")} value={from} ids={read.ids} onChange={setFrom} />
          <CallChoice label={t("to")} value={to} ids={read.ids} onChange={setTo} />
        </div>
        {paths.length > 1 ? (
          <label className="block">
            <span className="mb-0.5 block text-11 text-fg-3">{t("path")}</span>
            <select
              className={`${FIELD} font-mono text-11`}
              value={chosen ?? ""}
              onChange={({ target }) => setPath(target.value)}
            >
              {paths.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        ) : (
          <p className="text-pretty text-fg-2">
            {chosen === null
              ? t("newPath", { call: from })
              : t.rich("readsPath", { path: () => <code className="font-mono text-11">{chosen}</code> })}
          </p>
        )}
        {canDraw ? (
          <div>
            <h3 className="pb-1 text-11 text-fg-3">{t("parameter", { call: to })}</h3>
            <ul className="max-h-60 overflow-y-auto rounded-2 border border-line-strong">
              {parameters.known.map(({ name, type, isRequired, value }) => (
                <li key={name} className="not-first:border-line not-first:border-t">
                  <button
                    type="button"
                    onClick={() => draw(name)}
                    className="flex min-h-7 w-full items-baseline gap-2 px-2 py-1 text-left hover:bg-hover"
                  >
                    <span className="font-mono font-medium">{name}</span>
                    <span className="text-11 whitespace-nowrap text-fg-3">
                      {[type, isRequired ? t("required") : null].filter((word) => word !== null).join(" · ")}
                    </span>
                    {value !== null && (
                      <span className="ml-auto min-w-0 truncate font-mono text-11 text-fg-3">
                        {t("replaces", { value })}
                      </span>
                    )}
                  </button>
                </li>
              ))}
              {parameters.known.length === 0 && !parameters.isOpen && (
                <li className="px-2 py-1.5 text-fg-3">{t("none")}</li>
              )}
            </ul>
            {parameters.isOpen && (
              <form
                className="flex items-end gap-2 pt-2"
                onSubmit={(event) => {
                  event.preventDefault();
                  if (own.trim() !== "" && !own.startsWith("_")) draw(own.trim());
                }}
              >
                <label className="block min-w-0 flex-1">
                  <span className="mb-0.5 block text-11 text-fg-3">{t("other")}</span>
                  <input
                    className={FIELD}
                    value={own}
                    autoComplete="off"
                    spellCheck={false}
                    onChange={({ target }) => setOwn(target.value)}
                  />
                </label>
                <Button type="submit" disabled={own.trim() === "" || own.startsWith("_")}>
                  {t("draw")}
                </Button>
              </form>
            )}
          </div>
        ) : (
          <p className="text-pretty text-fg-3">{t(documents.values.plan === null ? "broken" : "choose")}</p>
        )}
        <div>
          <Button onClick={onClose}>{t("cancel")}</Button>
        </div>
      </div>
    </dialog>
  );
}

interface CallChoiceProps {
  label: string;
  value: string;
  ids: readonly string[];
  onChange: (id: string) => void;
}

function CallChoice({ label, value, ids, onChange }: CallChoiceProps) {
  return (
    <label className="block min-w-0">
      <span className="mb-0.5 block text-11 text-fg-3">{label}</span>
      <select className={FIELD} value={value} onChange={({ target }) => onChange(target.value)}>
        {ids.map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
    </label>
  );
}

/** A parameter that can hold a reference. */
interface Parameter {
  name: string;
  type: string | null;
  isRequired: boolean;
  /** Its current value as JSON; null for none. */
  value: string | null;
}

/** A call's parameters by its tool's schema, then its other ones. `isOpen`: the tool accepts additional ones. */
function parametersOf(call: PlanCall, { tools }: KnownTools): { known: Parameter[]; isOpen: boolean } {
  const tool = tools.get(call.tool);
  const schema = tool ? parameterSchema(tool) : {};
  const declared: Record<string, Json> = isJsonObject(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const names = new Set([...Object.keys(declared), ...Object.keys(call.parameters)]);
  const known = [...names].map((name) => ({
    name,
    type: typeOf(declared[name]),
    isRequired: required.has(name),
    value: Object.hasOwn(call.parameters, name) ? JSON.stringify(call.parameters[name]) : null,
  }));
  return { known, isOpen: schema.additionalProperties !== false };
}
