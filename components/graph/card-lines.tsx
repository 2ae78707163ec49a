"use client";

import { useTranslations } from "next-intl";
import { proposedChanges } from "@/components/studio/proposed-changes.ts";
import { ShortValue } from "@/components/studio/short-value.tsx";
import { useDuration } from "@/components/studio/use-duration.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { printReference } from "@/lib/plan/reference.ts";
import type { Json } from "@/lib/session/json.ts";
import type { Call } from "@/lib/session/session.ts";
import type { ParamLine } from "./param-lines.ts";
import { paramLines } from "./param-lines.ts";
import type { GraphNode } from "./plan-level.ts";
import { useSessionTime } from "./use-session-time.ts";

interface CardLinesProps {
  node: GraphNode;
  call: Call | null;
}

/** The lines between a card's name and its outputs: parameters, and what has to be said about the call. */
export function CardLines({ node, call }: CardLinesProps) {
  const hasNote = call !== null && noteKind(call) !== null;
  const lines = paramLines(node.call, call?.params ?? null, node.box.lines - (hasNote ? 1 : 0));
  return (
    <>
      {call?.status === "parked" && call.params !== null ? (
        <Change call={call} params={call.params} />
      ) : (
        lines.map((line) => <Param key={line.key} line={line} />)
      )}
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

/** A result is told where it can be read at a glance, and by its size where no output path stands for it. */
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
          {printReference(value.expression[0]?.at(-1) ?? { kind: "", path: [] })}
        </span>
      )}
    </div>
  );
}

/** Digits are grouped where that helps to read them, and never in what names something: `1842`, `1,450,000`. */
function ParamValue({ name, value }: { name: string; value: Json }) {
  const plain = Number.isInteger(value) && (Math.abs(Number(value)) < 100_000 || /(^|_)id$|[a-z]Id$/i.test(name));
  return plain ? String(value) : <ShortValue value={value} />;
}

/** What an action that waits would change. */
function Change({ call, params }: { call: Call; params: Json }) {
  const state = useStudio(({ session }) => session.runs.get(call.run_id ?? "")?.state[call.instance]);
  const [change] = proposedChanges(params, state ?? null);
  if (!change) return null;
  return (
    <div className="pg-line pg-change-line">
      <span className="pg-name">{change.name.split(".").at(-1)}</span>
      <span className="pg-value pg-change">
        {change.before !== undefined && (
          <>
            <ShortValue value={change.before} /> →{" "}
          </>
        )}
        <b>
          <ShortValue value={change.after} />
        </b>
      </span>
    </div>
  );
}

/** The engine's own word for a branch that was not taken (P21), told in the reader's language. */
const NOT_TAKEN = "branch not taken";

type NoteKind = "waits" | "reason" | "tries" | "untaken";

/** The one thing that has to be said about a call; null when its status says all. */
function noteKind(call: Call): NoteKind | null {
  switch (call.status) {
    case "parked":
      return "waits";
    case "failed":
    case "blocked":
    case "denied":
    case "superseded":
    case "cancelled":
      return call.error || call.reason ? "reason" : null;
    case "skipped":
      return call.reason === null || call.reason === NOT_TAKEN ? "untaken" : "reason";
    case "planned":
    case "running":
    case "succeeded":
      return call.tries.length > 0 ? "tries" : null;
    default:
      return call.status satisfies never;
  }
}

function Note({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const kind = noteKind(call);
  switch (kind) {
    case null:
      return null;
    case "waits":
      return <Wait call={call} />;
    case "untaken":
      return <div className="pg-line pg-quiet">{t("notTaken")}</div>;
    case "reason": {
      const reason = call.error?.message ?? call.reason ?? "";
      return (
        <div className={`pg-line ${call.status === "failed" ? "pg-error" : "pg-quiet"}`} title={reason}>
          <span className="pg-cut">{reason}</span>
        </div>
      );
    }
    case "tries": {
      const error = call.tries.at(-1)?.error?.code ?? call.tries.at(-1)?.reason ?? null;
      return (
        <div className="pg-line pg-error" title={call.tries.at(-1)?.error?.message}>
          <Icon name="retry" size={12} />
          <span className="pg-cut">
            {[t("tries", { count: call.tries.length + 1 }), error].filter(Boolean).join(" · ")}
          </span>
        </div>
      );
    }
    default:
      return kind satisfies never;
  }
}

function Wait({ call }: { call: Call }) {
  const t = useTranslations("graph");
  const duration = useDuration();
  const now = useSessionTime();
  const since = call.parked_at === null || now === null ? null : Math.max(0, now - Date.parse(call.parked_at));
  return (
    <div className="pg-line pg-wait">
      <span className="pg-cut">{since === null ? t("waits") : t("waitsFor", { duration: duration(since) })}</span>
    </div>
  );
}
