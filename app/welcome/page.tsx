import type { Metadata } from "next";
import { cookies, headers } from "next/headers";
import { getTranslations } from "next-intl/server";
import { beginners } from "@/components/compose/who-answers.ts";
import { parseWriter, WRITER_COOKIE } from "@/components/compose/writer.ts";
import { NEWEST, newestForeign } from "@/components/welcome/fresh.ts";
import { parseProgress, WELCOME_COOKIE } from "@/components/welcome/progress.ts";
import type { RecordedFailure } from "@/components/welcome/replay-step.tsx";
import { Welcome } from "@/components/welcome/welcome.tsx";
import { isKnown } from "@/lib/session/event.ts";
import { PageHeader } from "../page-header.tsx";
import { servicesFor } from "../services-for.ts";
import "@/components/welcome/welcome.css";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("welcome"))("title") };
}

/** A session of the demo that failed. */
const FAILED = "demo-refund-88412";

/** The agent that works on the demo's CRM. */
const DEMO_AGENT = "crm";

/** Where the demo's session failed; null without the demo. */
async function readFailure(): Promise<RecordedFailure | null> {
  const { conversations, events } = await servicesFor("read");
  const [conversation, failed] = await Promise.all([
    conversations.get(FAILED),
    events.list(FAILED, { after: 0, limit: 100, type: "call.failed" }),
  ]);
  const last = failed.at(-1);
  if (!conversation || !last || !isKnown(last) || last.type !== "call.failed") return null;
  return { conversation: FAILED, title: conversation.title ?? FAILED, tool: last.payload.tool, seq: last.seq };
}

/** The first minutes with a server. */
export default async function WelcomePage() {
  const [jar, head, { agents: registry, config, conversations }] = await Promise.all([
    cookies(),
    headers(),
    servicesFor("read"),
  ]);
  const [failure, { items }] = await Promise.all([readFailure(), conversations.list({ limit: NEWEST })]);
  const agents = registry.list();
  const ownAgents = agents.map(({ id }) => id);
  const agent =
    agents.find(({ id }) => id === DEMO_AGENT) ??
    beginners(agents).find((one) => one.default) ??
    beginners(agents)[0] ??
    null;
  const foreign = newestForeign(items, ownAgents);
  return (
    <div className="grid h-page grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto]">
      <PageHeader current="connect" />
      <Welcome
        before={parseProgress(jar.get(WELCOME_COOKIE)?.value)}
        agent={agent?.id ?? null}
        hasPrompts={agent?.id === DEMO_AGENT && config.bitrixWebhookUrl === null}
        user={parseWriter(jar.get(WRITER_COOKIE)?.value)}
        failure={failure}
        arrived={foreign ? { id: foreign.id, updated_at: foreign.updated_at } : null}
        ownAgents={ownAgents}
        assumed={`http://${head.get("host")}`}
      />
    </div>
  );
}
