import { type APIRequestContext, expect } from "@playwright/test";
import {
  button,
  field,
  fresh,
  history,
  list,
  open,
  openAgents,
  panel,
  pathOf,
  put,
  stored,
  tab,
  told,
} from "../setup/agent-page.ts";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

test("C8: agents are listed with their keys, those of this server first, and can be filtered in a long list", async ({
  page,
  request,
}) => {
  const agent = fresh("archive");
  const keys = Array.from({ length: 230 }, (_, index) => `entry-${String(index).padStart(3, "0")}`);
  await Promise.all(keys.map((key) => put(request, agent, key, { key })));
  await openAgents(page);
  await expect(list(page).getByRole("heading").first()).toHaveText("Running here");
  await expect(list(page).getByRole("link", { name: /^crm / })).toBeVisible();

  await page.keyboard.press("/");
  await page.keyboard.type("ENTRY-229");
  await list(page)
    .getByRole("link", { name: /entry-229/ })
    .click();
  await expect(page).toHaveURL(new RegExp(`agent=${agent}&key=entry-229`));
  await expect(panel(page).getByRole("treeitem")).toContainText("entry-229");
  await expect(page).toHaveURL(/q=ENTRY-229/);

  await list(page).getByRole("searchbox").fill("nothing is called so");
  await expect(list(page)).toContainText("No agent or key matches “nothing is called so”.");
});

test("C8: a version shows its changes since the previous one or to the newest, and can be restored", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const agent = fresh("planner");
  await put(request, agent, "settings", { retries: 1, hours: { from: "09:00", to: "18:00" } });
  await put(request, agent, "settings", { retries: 2, hours: { from: "09:00", to: "18:00" }, note: "added" });
  await put(request, agent, "settings", { retries: 2, hours: { from: "08:00", to: "18:00" } });
  await open(page, agent, "settings");
  await expect(history(page).getByRole("listitem")).toHaveCount(3);
  await history(page)
    .getByRole("button", { name: /Version 2/ })
    .click();
  await expect(tab(page, "Changes")).toHaveAttribute("aria-selected", "true");
  const changes = panel(page).getByRole("listitem");
  await expect(changes).toHaveText([/changed\s*retries\s*1 → 2/, /added\s*note\s*"added"/]);

  await page.getByText("With latest").click();
  await expect(changes).toHaveText([/changed\s*hours\.from\s*"09:00" → "08:00"/, /removed\s*note\s*"added"/]);
  await expect(page).toHaveURL(/version=2&against=current/);
  await page.reload();
  await expect(changes).toHaveCount(2);
  await tab(page, "JSON").click();
  await expect(panel(page)).toContainText("added");

  await button(page, "Restore…").click();
  await button(page, "Save").click();
  await expect(page.getByText("Saved as version 4")).toBeVisible();
  expect(await stored(request, agent, "settings")).toEqual({
    retries: 2,
    hours: { from: "09:00", to: "18:00" },
    note: "added",
  });
});

test("C8: a value is edited as JSON; invalid JSON is reported with its position and cannot be saved", async ({
  page,
  request,
}) => {
  const agent = fresh("writer");
  await put(request, agent, "draft", { a: 1 });
  await open(page, agent, "draft");
  await tab(page, "Edit").click();
  await expect(button(page, "Save")).toBeDisabled();
  await field(page).fill('{\n  "a": 1\n  "b": 2\n}');
  await expect(page.getByText("Line 2, column 9: expected a comma or closing bracket")).toBeVisible();
  await expect(button(page, "Save")).toBeDisabled();
  await field(page).fill('{\n  "a": 1,\n  "b": [2, "two"]\n}');
  await page.getByText("1 difference from version 1").click();
  await expect(panel(page).getByRole("listitem")).toHaveText(/added\s*b\s*\[2,"two"\]/);

  // The edit is kept while another key is shown.
  await page.goBack();
  await open(page, agent, "draft");
  await tab(page, "Edit").click();
  await field(page).fill("[1, 2]");
  await tab(page, "JSON").click();
  await tab(page, "Edit").click();
  await expect(field(page)).toHaveValue("[1, 2]");

  await page.keyboard.press("ControlOrMeta+S");
  await expect(page.getByText("Saved as version 2")).toHaveCount(0);
  await field(page).focus();
  await page.keyboard.press("ControlOrMeta+S");
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  expect(await stored(request, agent, "draft")).toEqual([1, 2]);
});

test("C8: a key is created and deleted, and its history is kept", { tag: "@postgres" }, async ({ page, request }) => {
  const agent = fresh("maker");
  await openAgents(page, `?q=${agent}`);
  await button(page, "New key").click();
  await page.getByRole("dialog").getByLabel("Agent").fill(agent);
  await page.getByRole("dialog").getByLabel("Key").fill("план/1");
  await page.keyboard.press("Enter");
  await expect(page.getByText("No value yet.")).toBeVisible();
  await field(page).fill('{ "ready": true }');
  await button(page, "Create").click();
  await expect(page.getByText("Saved as version 1")).toBeVisible();
  expect(await stored(request, agent, "план/1")).toEqual({ ready: true });
  await expect(list(page).getByRole("link", { name: /план\/1/ })).toBeVisible();

  await button(page, "Delete key").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect((await request.get(pathOf(agent, "план/1"))).status()).toBe(200);
  await button(page, "Delete key").click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete key" }).click();
  await expect(page.getByText("Deleted in version 2")).toBeVisible();
  await expect(list(page).getByRole("link", { name: /план\/1/ })).toHaveCount(0);
  await history(page)
    .getByRole("button", { name: /Version 1/ })
    .click();
  await expect(panel(page).getByRole("listitem")).toHaveText(/ready/);
});

/** Creates an agent for this test only. */
async function putAgent(request: APIRequestContext, id: string, mode: string): Promise<void> {
  const data = { description: "Looks after tests.", instructions: "Test.", mode };
  expect((await request.put(`/api/agents/${id}`, { data })).ok()).toBe(true);
}

async function modeOf(request: APIRequestContext, id: string): Promise<string> {
  return (await (await request.get(`/api/agents/${id}`)).json()).mode;
}

test("M13: an agent's mode is switched on its page, and full mode has to be confirmed", async ({ page, request }) => {
  const id = fresh("switched");
  await putAgent(request, id, "shadow");
  await openAgents(page);
  const card = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: id }) });
  await expect(card).toContainText("Calls nothing");
  await card.getByText("Canary", { exact: true }).click();
  await expect(card).toContainText("Reads, and creates what is safe to create");
  await expect.poll(() => modeOf(request, id)).toBe("canary");

  await card.getByText("Full", { exact: true }).click();
  await expect(card).toContainText(`From the next turn on, ${id} makes real changes.`);
  await card.getByRole("button", { name: "Keep Canary" }).click();
  await expect(card.getByRole("radio", { name: "Canary" })).toBeChecked();
  expect(await modeOf(request, id)).toBe("canary");
  await card.getByText("Full", { exact: true }).click();
  await card.getByRole("button", { name: "Allow" }).click();
  await expect.poll(() => modeOf(request, id)).toBe("full");
  await expect(card).toContainText("Executes everything");
});

test("M13, E12: a mode that was changed concurrently is shown and not overwritten", async ({ page, request }) => {
  const id = fresh("stale");
  await putAgent(request, id, "shadow");
  await openAgents(page, `?agent=${id}`);
  // The page misses the event.
  await page.route("**/api/agents/*", async (route) => {
    await putAgent(request, id, "full");
    await route.continue();
  });
  await page.getByText("Canary", { exact: true }).click();
  await expect(told(page)).toContainText("Someone else changed this agent");
  await expect(page.getByRole("radio", { name: "Full" })).toBeChecked();
  expect(await modeOf(request, id)).toBe("full");
});

test("E3: a reasoning trace is shown as steps with phases, and as JSON", async ({ page, request }) => {
  const agent = fresh("task_manager");
  await put(request, agent, "last_trace", {
    agent_id: agent,
    conversation: {
      steps: [
        { phase: "reasoning", content: { thought: "A call is to be planned", known: ["deal 1842", "contact 377"] } },
        { phase: "action", content: { tool: "tasks.task.add", params: { TITLE: "Call" } } },
        { phase: "self-critique", content: "Within working hours" },
      ],
      final_action: "create_task",
      final_result: { task_id: 9317 },
    },
  });
  await open(page, agent, "last_trace");
  await expect(tab(page, "Steps")).toHaveAttribute("aria-selected", "true");
  await expect(panel(page).getByRole("heading")).toHaveText(["Reasoning", "Action", "self-critique", "Result"]);
  await expect(panel(page)).toContainText("A call is to be planned");
  await expect(panel(page)).toContainText("create_task");
  await tab(page, "JSON").click();
  await expect(panel(page).getByRole("treeitem", { name: /conversation/ })).toBeVisible();
});

test("C8: internal state of Obelus is read-only", async ({ page, request }) => {
  const id = fresh("own");
  await putAgent(request, id, "shadow");
  await open(page, "obelus:agents", id);
  await expect(page.getByText("Obelus internal, read-only")).toBeVisible();
  await expect(tab(page, "JSON")).toBeVisible();
  await expect(tab(page, "Edit")).toHaveCount(0);
  await expect(button(page, "Delete key")).toHaveCount(0);
});

test("C8: a key is opened, edited and saved with the keyboard", async ({ page, request }) => {
  const agent = fresh("keyboard");
  await put(request, agent, "note", "old");
  await openAgents(page, `?q=${agent}`);
  await expect(list(page).getByRole("link", { name: /note/ })).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(tab(page, "JSON")).toBeVisible();
  await tab(page, "JSON").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(tab(page, "Edit")).toBeFocused();
  await field(page).focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type('"new"');
  await page.keyboard.press("ControlOrMeta+S");
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  expect(await stored(request, agent, "note")).toBe("new");
});

test("C8: axe reports nothing on the Agents page", async ({ page, request }) => {
  const agent = fresh("axe");
  await put(request, agent, "settings", { a: 1, list: [1, 2], gone: true });
  await put(request, agent, "settings", {
    a: 2,
    list: [1],
    text: "a text that is much too long to stand on one line",
  });
  const check = async () => {
    await expectAccessible(page);
  };
  await openAgents(page);
  await page.getByRole("radio", { name: "Full" }).first().waitFor({ state: "attached" });
  await check();
  await open(page, agent, "settings", "&version=1&against=current");
  await expect(panel(page).getByRole("listitem").first()).toBeVisible();
  await check();
  await open(page, agent, "settings", "&tab=edit");
  await field(page).fill("{ broken");
  await check();
  await field(page).fill('{ "a": 3 }');
  await put(request, agent, "settings", { a: 4 });
  await button(page, "Compare").click();
  await expect(page.getByRole("row").first()).toBeVisible();
  await check();
});
