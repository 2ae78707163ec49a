"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { PlanCall } from "@/lib/plan/call.ts";
import { expressionAt, type Joining, type NewEdge } from "@/lib/plan/edit/connect.ts";
import { parseReference, printReference } from "@/lib/plan/reference.ts";
import type { Source } from "@/lib/plan/schema/schema-source.ts";
import { parameterSchema } from "@/lib/plan/schema/tool-schema.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";
import { typeOf } from "../editor/known-paths.ts";
import type { KnownTools } from "../editor/toolbox.ts";
import { misfitOf } from "../form/fitting-paths.ts";
import type { DrawnEdge } from "../plan-pane.tsx";
import type { OpenPlan } from "../use-plan.ts";

interface ConnectDialogProps {
  /** The calls of the drawn edge; "" for one that is still to be chosen. */
  from: string;
  to: string;
  /** The output path from which it was drawn. */
  path: string | null;
  plan: OpenPlan;
  onClose: () => void;
  onDraw: (edge: NewEdge) => void;
}

/** Asks for the parameter at which an edge ends, and writes the reference. */
export function ConnectDialog({ plan, onClose, onDraw, ...drawn }: ConnectDialogProps) {
  const t = useTranslations("playground.connect");
  const { read, known, documents } = plan;
  const [from, setFrom] = useState(drawn.from || (read.ids[0] ?? ""));
  const [to, setTo] = useState(drawn.to || (read.ids.find((id) => id !== from) ?? ""));
  const [path, setPath] = useState(drawn.path);
  const [joining, setJoining] = useState<Joining>("replace");
  const [own, setOwn] = useState("");
  const writer = read.calls.find(({ id }) => id === from);
  const reader = read.calls.find(({ id }) => id === to);
  const written = writer?.output?.flat().map(printReference) ?? [];
  const first = path ?? written[0] ?? null;
  // The result, or a part of it that its schema declares.
  const parts = plan.knowledge.paths.filter((known) => known.writer === from).map((known) => known.path);
  const paths = [...new Set([...written, ...parts])].filter((one) => drawn.path === null || isBelow(one, drawn.path));
  const chosen = first !== null && paths.includes(first) ? first : (paths[0] ?? null);
  const source = plan.knowledge.paths.find((known) => known.path === chosen)?.source;
  const parameters = reader ? parametersOf(reader, known, source) : { known: [], isOpen: false };
  const reads = parameters.known.some(({ isRead }) => isRead);

  const draw = (parameter: string) => {
    const parsed = chosen === null ? null : parseReference(chosen);
    onClose();
    onDraw({ writer: from, reader: to, parameter: [parameter], path: parsed?.ok ? parsed.value : null, joining });
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
        {canDraw && reads && (
          <div className="flex flex-wrap items-center gap-2">
            <span className="text-11 text-fg-3">{t("joining")}</span>
            <Segmented
              label={t("joining")}
              value={joining}
              options={JOININGS.map((value) => ({ value, label: t(`joinings.${value}`), title: t(`joins.${value}`) }))}
              onChange={setJoining}
            />
          </div>
        )}
        {canDraw ? (
          <div>
            <h3 className="pb-1 text-11 text-fg-3">{t("parameter", { call: to })}</h3>
            <ul className="max-h-60 overflow-y-auto rounded-2 border border-line-strong">
              {parameters.known.map(({ name, type, isRequired, value, isRead, misfits }) => (
                <li key={name} className="not-first:border-line not-first:border-t">
                  <button
                    type="button"
                    onClick={() => draw(name)}
                    className="flex min-h-7 w-full items-baseline gap-2 px-2 py-1 text-left hover:bg-hover"
                  >
                    <span className={`font-mono font-medium ${misfits ? "text-fg-3" : ""}`}>{name}</span>
                    <span className="text-11 whitespace-nowrap text-fg-3">
                      {[type, isRequired ? t("required") : null, misfits ? t("misfits") : null]
                        .filter((word) => word !== null)
                        .join(" · ")}
                    </span>
                    {value !== null && (
                      <span className="ml-auto min-w-0 truncate font-mono text-11 text-fg-3">
                        {isRead && joining !== "replace" ? value : t("replaces", { value })}
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

const JOININGS = ["replace", "fallback", "gate"] as const;

/** Whether a path is another one, or a part of it. */
function isBelow(path: string, whole: string): boolean {
  return path === whole || path.startsWith(`${whole}.`) || path.startsWith(`${whole}[`);
}

/** A parameter that can hold a reference. */
interface Parameter {
  name: string;
  type: string | null;
  isRequired: boolean;
  /** Its current value as JSON; null for none. */
  value: string | null;
  /** The value is an expression, which can be joined. */
  isRead: boolean;
  /** No value of the chosen path fits its schema. */
  misfits: boolean;
}

/** The edge that needs no dialog: there is one path to read, and one parameter, which is free. Null for any other. */
export function onlyEdge(plan: OpenPlan, { from, to, path }: DrawnEdge): NewEdge | null {
  const reader = plan.read.calls.find(({ id }) => id === to);
  if (!reader || from === "") return null;
  const paths = plan.knowledge.paths.filter(
    (known) => known.writer === from && isBelow(known.path, path ?? known.path),
  );
  const { known, isOpen } = parametersOf(reader, plan.known, paths[0]?.source);
  const [parameter] = known;
  if (isOpen || known.length !== 1 || parameter?.value !== null || parameter.misfits || paths.length > 1) return null;
  const parsed = paths[0] && parseReference(paths[0].path);
  const target = parsed?.ok ? parsed.value : null;
  return { writer: from, reader: to, parameter: [parameter.name], path: target, joining: "replace" };
}

/** A call's parameters by its tool's schema, then its other ones. `isOpen`: the tool accepts additional ones. */
function parametersOf(
  call: PlanCall,
  { tools }: KnownTools,
  source: Source | undefined,
): { known: Parameter[]; isOpen: boolean } {
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
    isRead: expressionAt(call.parameters, [name]) !== null,
    misfits: source !== undefined && misfitOf(source, { schema: declared[name] ?? true, root: schema }) !== null,
  }));
  return { known, isOpen: schema.additionalProperties !== false };
}
