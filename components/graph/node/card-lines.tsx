"use client";

import { useTranslations } from "next-intl";
import type { ValueChange } from "@/components/approvals/item/changes.ts";
import { ShortValue } from "@/components/format/short-value.tsx";
import { useStudio } from "@/components/studio/use-studio.ts";
import { printReference } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Call } from "@/lib/session/session.ts";
import type { GraphNode } from "../plan-level.ts";
import { Note, noteKind } from "./card-note.tsx";
import type { ParamLine } from "./param-lines.ts";
import { paramLines } from "./param-lines.ts";
import { waitingChange } from "./waiting-change.ts";

interface CardLinesProps {
  node: GraphNode;
  call: Call | null;
}

/** The lines between a card's title and its outputs: parameters and a note. */
export function CardLines({ node, call }: CardLinesProps) {
  const change = useWaitingChange(call);
  const hasNote = call !== null && noteKind(call) !== null;
  const lines = paramLines(node.call, call?.params ?? null, node.box.lines - (hasNote ? 1 : 0));
  return (
    <>
      {change ? <Change change={change} /> : lines.map((line) => <Param key={line.key} line={line} />)}
      {call && <Note call={call} />}
      {call?.status === "succeeded" && isTold(call.output, node) && !hasNote && lines.length < node.box.lines && (
        <div className="pg-line pg-quiet">
          →
          <span className="pg-cut">
            <ShortValue value={call.output} />
          </span>
        </div>
      )}
    </>
  );
}

/** A small result is shown; without an output path, a large one is shown by its size. */
function isTold(output: Json, { box }: GraphNode): boolean {
  return output !== null && output !== "" && (typeof output !== "object" || box.outputs.length === 0);
}

function Param({ line: { name, value } }: { line: ParamLine }) {
  const t = useTranslations("graph");
  return (
    <div className="pg-line">
      <span className="pg-name">{name}</span>
      {value.kind === "value" ? (
        <span className="pg-value">
          <ParamValue name={name} value={value.value} />
        </span>
      ) : value.expression.length > 1 ? (
        <span className="pg-value pg-quiet">{t("firstOf", { count: value.expression.length })}</span>
      ) : (
        <span className="pg-value pg-reference">
          <bdi>{printReference(value.expression[0]?.at(-1) ?? { kind: "", path: [] })}</bdi>
        </span>
      )}
    </div>
  );
}

/** Digits are grouped in numbers, but not in ids: `1842`, `1,450,000`. */
function ParamValue({ name, value }: { name: string; value: Json }) {
  const plain = Number.isInteger(value) && (Math.abs(Number(value)) < 100_000 || /(^|_)id$|[a-z]Id$/i.test(name));
  return plain ? String(value) : <ShortValue value={value} />;
}

/** The pending change of an action. */
function Change({ change: { name, before, after } }: { change: ValueChange }) {
  return (
    <div className="pg-line pg-change-line">
      <span className="pg-name">{name.split(".").at(-1)}</span>
      <span className="pg-value pg-change">
        {before !== undefined && (
          <>
            <ShortValue value={before} /> →{" "}
          </>
        )}
        <b>
          <ShortValue value={after} />
        </b>
      </span>
    </div>
  );
}

/** The pending change of a parked call; null for any other. */
function useWaitingChange(call: Call | null): ValueChange | null {
  const confirmation = useStudio(({ session }) => session.confirmations.get(call?.confirmation_id ?? "") ?? null);
  const states = useStudio(({ session }) => session.runs.get(call?.run_id ?? "")?.state);
  return call && waitingChange(call, confirmation, states?.[call.instance] ?? states?.[""] ?? null);
}
