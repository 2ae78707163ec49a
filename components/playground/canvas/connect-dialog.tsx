"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FIELD } from "@/components/decision/form.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Segmented } from "@/components/ui/segmented.tsx";
import type { Joining, NewEdge } from "@/lib/plan/edit/connect.ts";
import { parseReference, printReference } from "@/lib/plan/reference.ts";
import type { DrawnEdge } from "../plan-pane.tsx";
import type { OpenPlan } from "../use-plan.ts";
import { likelyPath, misfits, parametersOf } from "./edge-ends.ts";

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
  /** Null until it is chosen. */
  const [path, setPath] = useState<string | null>(null);
  const [joining, setJoining] = useState<Joining>("replace");
  const [own, setOwn] = useState("");
  const writer = read.calls.find(({ id }) => id === from);
  const reader = read.calls.find(({ id }) => id === to);
  const written = writer?.output?.flat().map(printReference) ?? [];
  const parameters = reader ? parametersOf(reader, known) : { known: [], isOpen: false };
  // The result, or a part of it that its schema declares.
  const parts = plan.knowledge
    .paths()
    .filter((known) => known.writer === from && (drawn.path === null || isBelow(known.path, drawn.path)));
  const paths = [
    ...new Set([
      ...written.filter((one) => drawn.path === null || isBelow(one, drawn.path)),
      ...parts.map((known) => known.path),
    ]),
  ];
  const likely = likelyPath(parts, reader?.tool ?? "", parameters.known);
  const chosen = [path, likely].find((one) => one !== null && paths.includes(one)) ?? paths[0] ?? null;
  const source = parts.find((known) => known.path === chosen)?.source;
  const reads = parameters.known.some(({ isRead }) => isRead);

  const draw = (parameter: readonly string[]) => {
    const parsed = chosen === null ? null : parseReference(chosen);
    onClose();
    onDraw({ writer: from, reader: to, parameter: [...parameter], path: parsed?.ok ? parsed.value : null, joining });
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
              {parameters.known.map((parameter) => {
                const { path, type, isRequired, value, isRead } = parameter;
                const name = path.join(".");
                const isMisfit = misfits(source, parameter);
                return (
                  <li key={name} className="not-first:border-line not-first:border-t">
                    <button
                      type="button"
                      onClick={() => draw(path)}
                      className="flex min-h-7 w-full items-baseline gap-2 px-2 py-1 text-left hover:bg-hover"
                    >
                      <span className={`font-mono font-medium ${isMisfit ? "text-fg-3" : ""}`}>{name}</span>
                      <span className="text-11 whitespace-nowrap text-fg-3">
                        {[type, isRequired ? t("required") : null, isMisfit ? t("misfits") : null]
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
                );
              })}
              {parameters.known.length === 0 && !parameters.isOpen && (
                <li className="px-2 py-1.5 text-fg-3">{t("none")}</li>
              )}
            </ul>
            {parameters.isOpen && (
              <form
                className="flex items-end gap-2 pt-2"
                onSubmit={(event) => {
                  event.preventDefault();
                  if (own.trim() !== "" && !own.startsWith("_")) draw([own.trim()]);
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

/** The edge that needs no dialog: there is one path to read, and one parameter, which is free. Null for any other. */
export function onlyEdge(plan: OpenPlan, { from, to, path }: DrawnEdge): NewEdge | null {
  const reader = plan.read.calls.find(({ id }) => id === to);
  if (!reader || from === "") return null;
  const paths = plan.knowledge
    .paths()
    .filter((known) => known.writer === from && isBelow(known.path, path ?? known.path));
  const { known, isOpen } = parametersOf(reader, plan.known);
  const [parameter, ...others] = known.filter(({ path }) => path.length === 1);
  if (!parameter || others.length > 0 || isOpen || parameter.value !== null || paths.length > 1) return null;
  if (misfits(paths[0]?.source, parameter)) return null;
  const parsed = paths[0] && parseReference(paths[0].path);
  const target = parsed?.ok ? parsed.value : null;
  return { writer: from, reader: to, parameter: [...parameter.path], path: target, joining: "replace" };
}
