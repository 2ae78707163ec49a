"use client";

import { useTranslations } from "next-intl";
import { type RefObject, useRef } from "react";
import { useAgents } from "@/components/agents/use-agents.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { useCopy } from "@/components/ui/use-copy.ts";
import { charactersOf } from "@/lib/prompt/tokens.ts";
import { EDITOR_ID } from "../ids.ts";
import type { useWorkbench } from "../use-workbench.ts";
import { AgentMenu } from "./agent-menu.tsx";
import { PlaceholderBar } from "./placeholder-bar.tsx";
import { typeInto } from "./text-field.ts";

interface TemplateEditorProps {
  bench: ReturnType<typeof useWorkbench>;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The template, its placeholders, and where it is stored. */
export function TemplateEditor({ bench, field }: TemplateEditorProps) {
  const t = useTranslations("workbench.template");
  const { place, template, loss, write, begin } = bench;

  // An unmodified template has no undo history.
  const beginning = useRef(false);
  // Inserted as an edit, so that Ctrl+Z restores the previous text.
  const beginWith = (agent: string | null) => {
    const { current } = field;
    const text = begin(agent);
    if (!current) return;
    beginning.current = true;
    typeInto(current, { start: 0, end: current.value.length }, text);
    beginning.current = false;
    current.setSelectionRange(0, 0);
    current.scrollTo({ top: 0 });
  };
  return (
    <section aria-labelledby="template-title" className="flex min-h-75 flex-1 flex-col">
      <div className="flex min-h-[var(--h-toolbar)] flex-none items-center gap-2 border-line border-b pr-1.5 pl-3">
        <h2 id="template-title" className="font-semibold">
          {t("title")}
        </h2>
        <Origin bench={bench} onRestore={() => beginWith(place.agent)} />
        <span className="flex-1" />
        <AgentMenu agent={place.agent} onBegin={beginWith} />
      </div>
      <PlaceholderBar field={field} />
      {loss && (
        <p
          role="alert"
          className="flex-none border-line border-b bg-st-waiting-bg px-3 py-1.5 text-pretty text-st-waiting"
        >
          {t(`loss.${loss}`)}
        </p>
      )}
      <textarea
        ref={field}
        id={EDITOR_ID}
        aria-label={t("title")}
        aria-keyshortcuts="e"
        aria-describedby="template-foot"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        placeholder={t("empty")}
        value={template}
        onChange={(event) => !beginning.current && write(event.target.value)}
        onKeyDown={(event) => event.key === "Escape" && event.currentTarget.blur()}
        className="block min-h-40 flex-1 resize-none bg-surface px-3 py-2 font-mono text-12 leading-[19px] text-fg -outline-offset-2 outline-accent focus-visible:shadow-none focus-visible:outline-2"
      />
      <TemplateFoot bench={bench} />
    </section>
  );
}

interface OriginProps {
  bench: ReturnType<typeof useWorkbench>;
  onRestore: () => void;
}

/** The agent whose instructions the template is based on. */
function Origin({ bench: { place, kept }, onRestore }: OriginProps) {
  const t = useTranslations("workbench.template");
  const isKnown = useAgents().data?.some(({ id }) => id === place.agent) ?? true;
  if (place.agent === null) return null;
  const { agent } = place;
  if (!isKnown)
    return (
      <span role="alert" className="truncate text-st-failed">
        {t("unknownAgent", { agent })}
      </span>
    );
  return (
    <span className="flex min-w-0 items-center gap-1.5 text-fg-3">
      <span className="truncate">{t(kept === "origin" ? "ofAgent" : "changed", { agent })}</span>
      {kept !== "origin" && (
        <button
          type="button"
          onClick={onRestore}
          className="min-h-6 phone:min-h-11 flex-none rounded-1 px-1 font-medium text-fg-2 underline underline-offset-2 hover:text-fg"
        >
          {t("restore", { agent })}
        </button>
      )}
    </span>
  );
}

interface TemplateFootProps {
  bench: ReturnType<typeof useWorkbench>;
}

/** The template's length, storage and link. */
function TemplateFoot({ bench: { template, kept, place, address } }: TemplateFootProps) {
  const t = useTranslations("workbench.foot");
  const [outcome, copy] = useCopy();
  const shown = kept === "origin" && place.agent === null ? "starter" : kept;
  const share = () => copy(window.location.origin + window.location.pathname + address);
  const risky = kept === "tab" || kept === "nowhere";
  return (
    <div
      id="template-foot"
      className="flex min-h-7 flex-none flex-wrap items-center gap-x-3 border-line border-t bg-canvas py-0.5 pr-1.5 pl-3 text-11 text-fg-3"
    >
      <span className="tabular-nums">{t("characters", { count: charactersOf(template) })}</span>
      <span className={`min-w-0 flex-1 text-pretty ${risky ? "text-st-waiting" : ""}`}>{t(`kept.${shown}`)}</span>
      <button
        type="button"
        onClick={() => void share()}
        className="inline-flex min-h-6 phone:min-h-11 flex-none items-center gap-1 rounded-1 px-1 font-medium text-fg-2 hover:bg-hover hover:text-fg"
      >
        <Icon name={outcome === "copied" ? "check" : "share"} size={14} />
        <span role="status">{outcome ? t(outcome) : t("share")}</span>
      </button>
    </div>
  );
}
