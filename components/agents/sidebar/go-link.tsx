"use client";

import type { ComponentProps } from "react";
import { withSelection } from "../selection.ts";
import { useAgentSelection } from "../use-agent-selection.ts";

interface GoLinkProps extends Omit<ComponentProps<"a">, "href" | "onClick"> {
  agent: string;
  /** Null: the agent itself. */
  entryKey?: string | null;
}

/** A link to an agent or a key, which keeps the list as it is; another tab or window is the browser's to open. */
export function GoLink({ agent, entryKey = null, ...rest }: GoLinkProps) {
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
