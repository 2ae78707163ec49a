"use client";

import { useTranslations } from "next-intl";
import type { Answerer } from "./who-answers.ts";

interface AgentChoiceProps {
  agents: readonly Answerer[];
  chosen: string | null;
  onChoose: (id: string) => void;
}

/** A choice among this server's agents, as native radio buttons. */
export function AgentChoice({ agents, chosen, onChoose }: AgentChoiceProps) {
  const t = useTranslations("compose.agents");
  if (agents.length === 0) return <p className="text-pretty text-fg-2">{t("none")}</p>;
  return (
    <fieldset>
      <legend className="mb-1 text-fg-3">{t("title")}</legend>
      <div className="overflow-hidden rounded-2 border border-line-strong">
        {agents.map((agent) => (
          <Choice key={agent.id} agent={agent} chosen={agent.id === chosen} onChoose={onChoose} />
        ))}
      </div>
    </fieldset>
  );
}

interface ChoiceProps {
  agent: Answerer;
  chosen: boolean;
  onChoose: (id: string) => void;
}

function Choice({ agent: { id, description, mode, default: isDefault }, chosen, onChoose }: ChoiceProps) {
  const t = useTranslations("compose.agents");
  return (
    <label className="flex cursor-pointer gap-2.5 border-line border-t px-3 py-2 first:border-t-0 hover:bg-hover has-checked:bg-accent-soft has-focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]">
      <input
        type="radio"
        name="agent"
        value={id}
        checked={chosen}
        onChange={() => onChoose(id)}
        className="mt-0.75 size-3.25 flex-none accent-(--accent) focus-visible:shadow-none"
      />
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <b className="text-13 font-semibold wrap-anywhere">{id}</b>
          {isDefault && <span className="text-fg-3">{t("default")}</span>}
        </span>
        {description && (
          <span className="line-clamp-3 text-13 leading-[var(--lh-body)] text-pretty text-fg-2">{description}</span>
        )}
        <span className="mt-0.5 block text-pretty text-fg-3">{t(mode)}</span>
      </span>
    </label>
  );
}
