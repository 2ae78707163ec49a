import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { expectAccessible } from "../setup/axe.ts";
import { decision, header, inspector, node, runLive, statuses, type Tool, thread } from "../setup/live-run.ts";
import { sendNow, test, undoBar, waitIn } from "../setup/test.ts";
import { startTools, type ToolServer } from "../setup/tool-server.ts";

let tools: ToolServer;
test.beforeEach(async () => {
  tools = await startTools();
});
test.afterEach(() => tools.close());

test("P22: a parked call is approved with edited parameters", { tag: "@postgres" }, async ({ page }) => {
  const id = await runLive(page, tools, {
    plan: [
      { _tool: "deal.update", _id: "update", id: 7, amount: 250, note: "as asked", _outputPath: "†state.updated" },
      { _tool: "mail.send", _id: "mail", about: "†state.updated" },
    ],
    used: [{ name: "deal.update", requires_confirmation: true }, "mail.send"],
  });
  await expect(header(page)).toContainText("Waiting for approval");
  await node(page, "deal.update", "Waiting for approval").click();
  await decision(page).getByRole("button", { name: "Edit" }).click();
  await decision(page).getByLabel("amount").fill("two hundred");
  await decision(page).getByRole("button", { name: "Approve these values" }).click();
  await expect(decision(page).getByRole("alert")).toContainText("Enter a number");
  expect(tools.calls("deal.update")).toEqual([]);

  await decision(page).getByLabel("amount").fill("200");
  await decision(page).getByRole("button", { name: "Approve these values" }).click();
  await sendNow(page);
  await expect(node(page, "deal.update", "Succeeded")).toBeVisible();
  await expect(node(page, "mail.send", "Succeeded")).toBeVisible();
  expect(tools.calls("deal.update")).toEqual([{ id: 7, amount: 200, note: "as asked" }]);
  expect(await statuses(page.request, id)).toEqual({ update: "succeeded", mail: "succeeded" });
  await expect(thread(page)).toContainText("Approved by console · edited");
});

test("P22: a parked call is denied with a reason, and the call that needs its result is blocked and refers to it", async ({
  page,
}) => {
  await runLive(page, tools, {
    plan: [
      { _tool: "deal.update", _id: "update", amount: 250, _outputPath: "†state.updated" },
      { _tool: "mail.send", _id: "mail", about: "†state.updated" },
    ],
    used: [{ name: "deal.update", requires_confirmation: true }, "mail.send"],
  });
  await thread(page).getByRole("button", { name: "Deny" }).click();
  const reason = thread(page).getByRole("textbox", { name: /Reason/ });
  await reason.fill("Not this");
  await reason.press("Shift+Enter");
  await reason.pressSequentially("quarter");
  await reason.press("Enter");
  await sendNow(page);
  await expect(node(page, "deal.update", "Denied")).toBeVisible();
  await expect(thread(page)).toContainText(/Not this\s+quarter/);
  await node(page, "mail.send", "Blocked").click();
  // The State tab also has a button with the call's name.
  await expect(inspector(page).getByRole("heading", { name: "mail.send" })).toBeVisible();
  await inspector(page).getByRole("button", { name: "deal.update" }).click();
  await expect(inspector(page).getByRole("heading", { name: "deal.update" })).toBeVisible();
  expect(tools.calls("deal.update")).toEqual([]);
});

test("P22a: a concurrent decision says who was first", { tag: "@postgres" }, async ({ page }) => {
  const id = await runLive(page, tools, {
    plan: [{ _tool: "deal.update", _id: "update" }],
    used: [{ name: "deal.update", requires_confirmation: true }],
  });
  await node(page, "deal.update", "Waiting for approval").click();
  const { items } = await (await page.request.get(`/api/confirmations?conversation_id=${id}`)).json();
  await page.route("**/api/confirmations/decisions", async (route) => {
    const other = await page.request.post(`/api/confirmations/${items[0].id}/decision`, { data: { decision: "deny" } });
    expect(other.status()).toBe(200);
    await route.continue();
  });
  await decision(page).getByRole("button", { name: "Approve" }).click();
  await undoBar(page).getByRole("button", { name: "Send now" }).click();
  await expect(thread(page)).toContainText("Denied by console");
  await expect(node(page, "deal.update", "Denied")).toBeVisible();
});

test("P23: an interrupted call waits for a person, and a result that they enter is validated and recorded", async ({
  browser,
}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "obelus-engine-"));
  const env = { OBELUS_DEMO: "0", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" };
  let server = await startServerProcess(dataDir, { env });
  const page = waitIn(await browser.newPage({ baseURL: server.address }));
  try {
    tools.hold("pay.out");
    await runLive(page, tools, {
      plan: [
        { _tool: "pay.out", _id: "pay", amount: 250, _outputPath: "†state.receipt" },
        { _tool: "mail.send", _id: "mail", receipt: "†state.receipt.number" },
      ],
      used: ["pay.out", "mail.send"],
    });
    await expect(node(page, "pay.out", "Running")).toBeVisible();
    await expect.poll(() => tools.calls("pay.out")).toHaveLength(1);
    await server.stop("SIGKILL");
    server = await startServerProcess(dataDir, { env: { ...env, PORT: new URL(server.address).port } });

    await node(page, "pay.out", "Waiting for approval").click();
    await expect(inspector(page)).toContainText("Interrupted");
    await decision(page).getByRole("button", { name: "Record a result" }).click();
    const result = decision(page).getByRole("textbox", { name: /as JSON/ });
    await result.fill("number 17");
    await decision(page).getByRole("button", { name: "Record this result" }).click();
    await expect(decision(page).getByRole("alert")).toContainText("Not valid JSON");
    await result.fill('{ "number": 17 }');
    await decision(page).getByRole("button", { name: "Record this result" }).click();
    await sendNow(page);

    await expect(node(page, "pay.out", "Succeeded")).toBeVisible();
    await expect(node(page, "mail.send", "Succeeded")).toBeVisible();
    expect(tools.calls("pay.out")).toHaveLength(1);
    expect(tools.calls("mail.send")).toEqual([{ receipt: 17 }]);
  } finally {
    await page.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("C7: axe reports nothing on decision forms and on cancelling a run", async ({ page }) => {
  const used: Tool[] = [{ name: "deal.update", requires_confirmation: true }, "mail.send"];
  const plan = [
    { _tool: "deal.update", _id: "update", amount: 250, urgent: true, note: null, _outputPath: "†state.updated" },
    { _tool: "mail.send", _id: "mail", about: "†state.updated" },
  ];
  await runLive(page, tools, { plan, used });
  await node(page, "deal.update", "Waiting for approval").click();
  await decision(page).getByRole("button", { name: "Edit" }).click();
  await decision(page).getByLabel("amount").fill("much");
  await decision(page).getByRole("button", { name: "Approve these values" }).click();
  await expect(decision(page).getByRole("alert")).toBeVisible();
  await page.getByRole("button", { name: "Cancel run" }).click();
  await expectAccessible(page);
});

test("C7: a call is decided with the keyboard, and going back restores the focus", async ({ page }) => {
  await runLive(page, tools, {
    plan: [{ _tool: "deal.update", _id: "update", amount: 250 }],
    used: [{ name: "deal.update", requires_confirmation: true }],
  });
  await thread(page).getByRole("button", { name: "Deny" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("No");
  await page.keyboard.press("Escape");
  await expect(thread(page).getByRole("button", { name: "Deny" })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(thread(page).getByLabel("amount")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("200");
  await page.keyboard.press("Enter");
  await sendNow(page);
  await expect(node(page, "deal.update", "Succeeded")).toBeVisible();
  expect(tools.calls("deal.update")).toEqual([{ amount: 200 }]);
});
