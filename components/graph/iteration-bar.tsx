"use client";

import "./marks.css";
import { useTranslations } from "next-intl";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useSelection } from "@/components/selection/use-selection.ts";
import { Button } from "@/components/ui/button.tsx";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem } from "@/components/ui/menu.tsx";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { IterationChanges } from "./plan-iterations.ts";

type Kind = "added" | "changed" | "removed";
const KINDS = ["added", "changed", "removed"] as const satisfies readonly Kind[];

interface IterationBarProps {
  changes: IterationChanges | null;
}

/** Switches between iterations, and lists the changes since the previous one (C4). */
export function IterationBar({ changes }: IterationBarProps) {
  const t = useTranslations("graph.iterations");
  const { iteration, iterations, plan } = useResolvedSelection();
  const [, select] = useSelection();
  if (iterations.length < 2 || iteration === null || !plan) return null;
  const at = iterations.indexOf(iteration);
  const go = (to: number | undefined) => to !== undefined && select({ iteration: to, call: null });
  const tools = new Map([...(changes?.before.calls ?? []), ...plan.calls].map((call) => [textOf(call._id), call]));
  return (
    <section className="pg-float pg-iterations" aria-label={t("label")}>
      <Button
        variant="ghost"
        square
        aria-label={t("previous")}
        title={t("previous")}
        disabled={at <= 0}
        onClick={() => go(iterations[at - 1])}
      >
        <Icon name="left" size={14} />
      </Button>
      <span className="pg-iteration" aria-live="polite">
        {t("place", { number: iteration })}
        <span className="pg-quiet"> {t("of", { place: at + 1, count: iterations.length })}</span>
      </span>
      <Button
        variant="ghost"
        square
        aria-label={t("next")}
        title={t("next")}
        disabled={at >= iterations.length - 1}
        onClick={() => go(iterations[at + 1])}
      >
        <Icon name="right" size={14} />
      </Button>
      {changes && (
        <span className="pg-changes" title={t("since", { number: changes.since })}>
          {KINDS.map((kind) => (
            <Changed key={kind} kind={kind} changes={changes} tools={tools} />
          ))}
          {KINDS.every((kind) => idsOf(changes, kind).length === 0) && <span className="pg-quiet">{t("same")}</span>}
        </span>
      )}
    </section>
  );
}

interface ChangedProps {
  kind: Kind;
  changes: IterationChanges;
  /** The calls of both plans by id; the newer plan wins. */
  tools: ReadonlyMap<string, JsonObject>;
}

/** Calls with one kind of change, as links; a removed call links to its iteration. */
function Changed({ kind, changes, tools }: ChangedProps) {
  const t = useTranslations("graph.iterations");
  const [, select] = useSelection();
  const ids = idsOf(changes, kind);
  if (ids.length === 0) return null;
  return (
    <Menu
      align="end"
      className="pg-changed"
      trigger={
        <>
          <span className="pg-mark-sign" data-kind={kind} aria-hidden="true">
            {SIGNS[kind]}
          </span>
          {t(kind, { count: ids.length })}
        </>
      }
    >
      {ids.map((id) => (
        <MenuItem
          key={id}
          onSelect={() => select({ call: id, tab: "call", ...(kind === "removed" && { iteration: changes.since }) })}
        >
          <span className="truncate">{textOf(tools.get(id)?._tool)}</span>
          <span className="truncate font-mono text-10 text-fg-3">{id}</span>
        </MenuItem>
      ))}
    </Menu>
  );
}

const SIGNS = { added: "+", changed: "~", removed: "−" } as const;

function idsOf(changes: IterationChanges, kind: Kind): string[] {
  return kind === "changed" ? [...changes.changed.keys()] : changes[kind];
}

function textOf(value: JsonObject[string] | undefined): string {
  return typeof value === "string" ? value : "";
}
