"use client";

import { useParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useAgents } from "@/components/agents/use-agents.ts";
import { readId } from "@/components/selection/read-id.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { Icon } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { NOWHERE, printPlace } from "./place.ts";

/** From a session's step to the workbench, with the template of the session's agent where it is one of this server. */
export function WorkbenchLink({ step }: { step: number }) {
  const t = useTranslations("workbench");
  const { id } = useParams<{ id: string }>();
  const agentId = useStudio(({ session }) => session.summary.agent_id);
  const agents = useAgents().data;
  const agent = agents?.some((one) => one.id === agentId) ? agentId : null;
  return (
    <Link
      href={`/prompts${printPlace({ ...NOWHERE, conversation: readId(id), at: step, agent })}`}
      aria-label={t("tryStep")}
      title={t("tryStep")}
      className="inline-flex min-h-5 min-w-5 items-center justify-center rounded-1 px-0.5 text-fg-3 hover:bg-active hover:text-fg"
    >
      <Icon name="pencil" size={12} />
    </Link>
  );
}
