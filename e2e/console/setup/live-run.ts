import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import type { ToolServer } from "./tool-server.ts";

/** A tool of the test's server, or one that only a delegate executes. */
export type Tool = string | { name: string; requires_confirmation: true } | { name: string; schema: object };

interface Started {
  plan: object[];
  /** The plan's tools. */
  used: Tool[];
  context?: object[];
}

/** Runs a plan on the test's tools and opens its conversation in the studio, live. Returns the conversation's id. */
export async function runLive(page: Page, tools: ToolServer, { plan, used, context = [] }: Started): Promise<string> {
  const definitions = used.map((tool) => {
    if (typeof tool === "string") return tools.definition(tool);
    return "schema" in tool ? tool : tools.definition(tool.name, tool);
  });
  const answer = await page.request.post("/api/plans/run", { data: { plan, tools: definitions, context } });
  expect(answer.status(), await answer.text()).toBe(202);
  const { conversation_id } = await answer.json();
  await page.goto(`/conversations/${conversation_id}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  return conversation_id;
}

export const graph = (page: Page): Locator => page.getByRole("region", { name: "Plan graph" });
export const thread = (page: Page): Locator => page.getByRole("region", { name: "Thread", exact: true });
export const inspector = (page: Page): Locator => page.getByRole("region", { name: "Inspector" });
/** The decision form of a parked call. */
export const decision = (page: Page): Locator => inspector(page).getByRole("region", { name: "Decision" });
/** The conversation's status line. */
export const header = (page: Page): Locator => page.getByRole("banner");
/** A call's card in the graph, by tool and status. */
export const node = (page: Page, tool: string, status: string): Locator =>
  graph(page).getByRole("button", { name: new RegExp(`^${tool}, ${status}`) });

/** The statuses of a conversation's calls, by id. */
export async function statuses(request: APIRequestContext, id: string): Promise<Record<string, string>> {
  const { calls } = await (await request.get(`/api/conversations/${id}/view`)).json();
  return Object.fromEntries(calls.map((call: { id: string; status: string }) => [call.id, call.status]));
}
