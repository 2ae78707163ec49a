import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { test as base } from "./test.ts";
import { startTools, type ToolServer } from "./tool-server.ts";

const withTools = base.extend<{ tools: ToolServer }>({
  tools: async ({ browserName: _ }, use) => {
    const tools = await startTools();
    await use(tools);
    await tools.close();
  },
});

/** Each test has a server with an empty log, and tools of its own. */
export const test = withTools.extend({ baseURL: ({ browserName: _ }, use) => withServer(use) });

/**
 * One server for all tests of a file, which takes a third of the time. Pending approvals are denied before each test;
 * decided ones stay in the history.
 */
export const inboxTest = withTools.extend<object, { inbox: string }>({
  inbox: [({ browserName: _ }, use) => withServer(use), { scope: "worker" }],
  baseURL: async ({ inbox }, use) => {
    await settle(inbox);
    await use(inbox);
  },
});

async function withServer(use: (address: string) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-inbox-"));
  const server = await startServerProcess(dataDir, {
    env: { OBELUS_DEMO: "0", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" },
  });
  await use(server.address);
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** Denies all pending approvals. */
async function settle(address: string): Promise<void> {
  const waiting = await fetch(`${address}/api/confirmations?status=requested&limit=200`);
  const { items }: { items: { id: string; requested_seq: number }[] } = await waiting.json();
  if (items.length === 0) return;
  const answer = await fetch(`${address}/api/confirmations/decisions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ids: items.map(({ id }) => id),
      requested_seqs: Object.fromEntries(items.map(({ id, requested_seq }) => [id, requested_seq])),
      decision: "deny",
    }),
  });
  expect(answer.status).toBe(200);
}

/** A confirmation requested by an external agent. */
interface Asked {
  params?: object;
  before?: object;
  cause?: "interrupted";
  /** How long ago, in hours. */
  hoursAgo?: number;
  user?: string;
}

/** Records that an external agent requests `what`, which is also the confirmation's id. */
export async function ask(page: Page, what: string, { params = {}, before, cause, hoursAgo = 0, user }: Asked = {}) {
  const occurred_at = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const conversation_id = `about ${what}`;
  const created = { title: `About ${what}`, channel: "telegram", agent_id: "crm", ...(user && { user_id: user }) };
  const action = { method: "crm.deal.update", params };
  const answer = await page.request.post("/api/events", {
    data: [
      { conversation_id, type: "conversation.created", payload: created, occurred_at },
      {
        conversation_id,
        type: "confirmation.requested",
        run_id: `run ${what}`,
        payload: {
          confirmation_id: what,
          key: what,
          description: what,
          action,
          ...(before && { before }),
          ...(cause && { cause }),
        },
        occurred_at,
      },
    ],
  });
  expect(answer.status(), await answer.text()).toBe(201);
}

/** Starts a plan in which a call of `deal.update` is parked. Returns the conversation's id. */
export async function park(page: Page, tools: ToolServer, params: object): Promise<string> {
  const plan = [
    {
      _tool: "deal.update",
      _id: "update",
      ...params,
      _outputPath: "†state.updated",
      _reasoningForCall: "Anna asked for it",
    },
    { _tool: "mail.send", _id: "mail", about: "†state.updated" },
  ];
  const definitions = [tools.definition("deal.update", { requires_confirmation: true }), tools.definition("mail.send")];
  const answer = await page.request.post("/api/plans/run", { data: { plan, tools: definitions } });
  expect(answer.status(), await answer.text()).toBe(202);
  const { conversation_id } = await answer.json();
  await expect.poll(async () => (await confirmationsOf(page, conversation_id)).length).toBe(1);
  return conversation_id;
}

/** A conversation's confirmations from the API. */
export async function confirmationsOf(page: Page, id: string): Promise<Record<string, unknown>[]> {
  const query = new URLSearchParams({ conversation_id: id });
  return (await (await page.request.get(`/api/confirmations?${query}`)).json()).items;
}

/** The status of a confirmation of `ask`. */
export async function statusOf(page: Page, what: string): Promise<unknown> {
  return (await confirmationsOf(page, `about ${what}`))[0]?.status;
}

/** Opens the inbox and waits until it is connected. */
export async function openInbox(page: Page, query = ""): Promise<void> {
  await page.goto(`/approvals${query}`);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
}

export const items = (page: Page): Locator => page.getByRole("list").locator("[data-item]");
export const item = (page: Page, what: string): Locator => page.locator("li.inbox-item").filter({ hasText: what });
/** The selected approval. */
export const detail = (page: Page): Locator => page.getByRole("region", { name: "Selected approval" });
export const decision = (page: Page): Locator => page.getByRole("region", { name: "Decision" });

/** Waits until an approval is selected and can be decided: one that was selected automatically only after a moment. */
export async function readyFor(page: Page, what: string): Promise<void> {
  await expect(detail(page).getByRole("heading", { name: what })).toBeVisible();
  await expect(decision(page).getByRole("button", { name: /^(Approve|Run again)/ })).toBeEnabled();
}
