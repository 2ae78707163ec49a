import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import type { Json } from "../../../lib/session/json/json.ts";

export const pathOf = (agent: string, key: string) =>
  `/api/agent-state/${encodeURIComponent(agent)}/${encodeURIComponent(key)}`;

/** Writes a value as an external agent does. */
export async function put(request: APIRequestContext, agent: string, key: string, value: Json): Promise<void> {
  const answer = await request.put(pathOf(agent, key), {
    headers: { "content-type": "application/json" },
    data: JSON.stringify(value),
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

export async function stored(request: APIRequestContext, agent: string, key: string): Promise<Json> {
  return (await request.get(pathOf(agent, key))).json();
}

/** A unique agent id. */
export const fresh = (name: string) => `${name}-${randomUUID().slice(0, 8)}`;

/** Opens the Agents page and waits until it is connected, so that no event is missed. */
export async function openAgents(page: Page, query = ""): Promise<void> {
  await page.goto(`/agents${query}`);
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
}

/** The same for a key. */
export function open(page: Page, agent: string, key: string, query = ""): Promise<void> {
  return openAgents(page, `?agent=${encodeURIComponent(agent)}&key=${encodeURIComponent(key)}${query}`);
}

export const list = (page: Page): Locator => page.getByRole("navigation", { name: "Agents and their state" });
export const tab = (page: Page, name: string): Locator => page.getByRole("tab", { name });
export const panel = (page: Page): Locator => page.getByRole("tabpanel");
export const history = (page: Page): Locator => page.getByRole("complementary", { name: "History" });
export const field = (page: Page): Locator => page.getByRole("textbox", { name: "The value as JSON" });
/** The page's status message; Next has an alert of its own. */
export const told = (page: Page): Locator => page.getByRole("main").getByRole("alert");
export const button = (page: Page, name: string): Locator => page.getByRole("button", { name, exact: true });
