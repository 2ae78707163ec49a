"use client";

import { useTranslations } from "next-intl";
import { useAgents } from "@/components/agents/use-agents.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu.tsx";

const BUTTON =
  "inline-flex h-[var(--control)] flex-none items-center gap-1 rounded-2 px-1.5 font-medium whitespace-nowrap text-fg-2 hover:bg-hover hover:text-fg aria-expanded:bg-active aria-expanded:text-fg";

interface AgentMenuProps {
  agent: string | null;
  onBegin: (agent: string | null) => void;
}

/** What the template is based on: an agent's instructions, or an own template. */
export function AgentMenu({ agent, onBegin }: AgentMenuProps) {
  const t = useTranslations("workbench.template");
  const agents = useAgents().data ?? [];
  return (
    <Menu
      align="end"
      className={BUTTON}
      trigger={
        <>
          {t("begin")}
          <Icon name="down" size={12} />
        </>
      }
    >
      <MenuItem checked={agent === null} onSelect={() => onBegin(null)}>
        {t("own")}
      </MenuItem>
      {agents.length > 0 && <MenuSeparator />}
      {agents.map(({ id }) => (
        <MenuItem key={id} checked={agent === id} onSelect={() => onBegin(id)}>
          {t("instructions", { agent: id })}
        </MenuItem>
      ))}
    </Menu>
  );
}
