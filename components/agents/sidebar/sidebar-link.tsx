"use client";

import type { ComponentProps } from "react";
import { withSelection } from "../selection.ts";
import { useAgentSelection } from "../use-agent-selection.ts";

interface GoLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  agent: string;
  /** Null for the agent itself. */
  entryKey?: string | null;
}

/** A link to an agent or a key that keeps the filter; modified clicks are left to the browser. */
export function SidebarLink({ agent, entryKey = null, ...rest }: GoLinkProps) {
  const [, select] = useAgentSelection();
  const to = { agent, key: entryKey };
  return (
    <a
      href={`/agents${withSelection(new URLSearchParams(), to)}`}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        select(to);
      }}
      {...rest}
    />
  );
}
