import { expect } from "@playwright/test";
import { decision, graph, header, inspector, node, runLive, statuses, thread } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";
import { startTools, type ToolServer } from "../setup/tool-server.ts";

let tools: ToolServer;
test.beforeEach(async () => {
  tools = await startTools();
});
test.afterEach(() => tools.close());

test("P20: the graph shows a running plan without a reload", { tag: "@postgres" }, async ({ page }) => {
  tools.answer("order.get", { status: 200, body: { total: 7 } });
  const release = tools.hold("ledger.post");
  await runLive(page, tools, {
    plan: [
      { _tool: "order.get", _id: "order", _outputPath: "†state.order" },
      { _tool: "ledger.post", _id: "ledger", amount: "†state.order.total", _outputPath: "†state.entry" },
      { _tool: "mail.send", _id: "mail", entry: "†state.entry" },
    ],
    used: ["order.get", "ledger.post", "mail.send"],
  });
  await expect(node(page, "order.get", "Succeeded")).toBeVisible();
  await expect(node(page, "ledger.post", "Running")).toBeVisible();
  await expect(node(page, "mail.send", "Planned")).toBeVisible();
  await node(page, "mail.send", "Planned").click();
  await expect(inspector(page)).toContainText("Waits for");
  await expect(inspector(page).getByRole("button", { name: "ledger.post" })).toBeVisible();

  release();
  await expect(node(page, "ledger.post", "Succeeded")).toBeVisible();
  await expect(node(page, "mail.send", "Succeeded")).toBeVisible();
  await expect(header(page)).toContainText("Done");
  await expect(page.getByRole("button", { name: "Cancel run" })).toHaveCount(0);
});

test("P10: the taken branch is distinguished from the other", async ({ page }) => {
  tools.answer("policy.check", { status: 200, body: { _path: "†state.refused", value: { why: "over the limit" } } });
  await runLive(page, tools, {
    plan: [
      { _tool: "policy.check", _id: "policy", _outputPath: "†state.allowed || †state.refused" },
      { _tool: "deal.update", _id: "update", because: "†state.allowed" },
      { _tool: "letter.draft", _id: "letter", because: "†state.refused" },
    ],
    used: ["policy.check", "deal.update", "letter.draft"],
  });
  await expect(node(page, "letter.draft", "Succeeded")).toBeVisible();
  await expect(node(page, "deal.update", "Skipped")).toBeVisible();
  await expect(graph(page).getByRole("button", { name: "Reads †state.allowed", includeHidden: true })).toHaveAttribute(
    "data-lost",
  );
  await expect(
    graph(page).getByRole("button", { name: "Reads †state.refused", includeHidden: true }),
  ).not.toHaveAttribute("data-lost");
  await page.getByRole("tab", { name: "State", exact: true }).click();
  await expect(inspector(page)).toContainText("branch not taken");
});

test("P24: a failed call is run again after its tool was fixed, and its run continues", { tag: "@postgres" }, async ({
  page,
}) => {
  tools.answer("ledger.post", { status: 500, body: { error: "the ledger is closed" } });
  const id = await runLive(page, tools, {
    plan: [
      { _tool: "ledger.post", _id: "ledger", _outputPath: "†state.entry" },
      { _tool: "audit.close", _id: "audit", entry: "†state.entry" },
    ],
    used: ["ledger.post", "audit.close"],
  });
  await expect(header(page)).toContainText("Failed");
  await expect(node(page, "audit.close", "Blocked")).toBeVisible();
  await node(page, "ledger.post", "Failed").click();
  tools.answer("ledger.post", { status: 200, body: { id: 9 } });
  await inspector(page).getByRole("button", { name: "Run again" }).click();
  await expect(node(page, "ledger.post", "Succeeded")).toBeVisible();
  await expect(node(page, "audit.close", "Succeeded")).toBeVisible();
  await expect(header(page)).toContainText("Done");
  await expect(inspector(page)).toContainText("1 failed attempt");
  expect(await statuses(page.request, id)).toEqual({ ledger: "succeeded", audit: "succeeded" });
});

test("P24: a failed run is resumed, and shows beforehand which calls will run again", { tag: "@postgres" }, async ({
  page,
}) => {
  tools.answer("ledger.post", { status: 500, body: {} });
  await runLive(page, tools, { plan: [{ _tool: "ledger.post", _id: "ledger" }], used: ["ledger.post"] });
  await expect(header(page)).toContainText("Failed");
  tools.answer("ledger.post", { status: 200, body: {} });
  await page.getByRole("button", { name: "Resume run" }).click();
  const question = page.getByRole("dialog", { name: "Resume run" });
  await expect(question).toContainText("ledger.post");
  await question.getByRole("button", { name: "Resume run" }).click();
  await expect(node(page, "ledger.post", "Succeeded")).toBeVisible();
  await expect(header(page)).toContainText("Done");
});

test("P24: cancelling a run has to be confirmed, and is not offered at a past step", { tag: "@postgres" }, async ({
  page,
}) => {
  const release = tools.hold("slow.work");
  await runLive(page, tools, {
    plan: [
      { _tool: "slow.work", _id: "slow", _outputPath: "†state.work" },
      { _tool: "deal.update", _id: "update" },
      { _tool: "mail.send", _id: "mail", about: "†state.work" },
    ],
    used: ["slow.work", "mail.send", { name: "deal.update", requires_confirmation: true }],
  });
  await expect(node(page, "slow.work", "Running")).toBeVisible();
  await node(page, "deal.update", "Waiting for approval").click();
  const cancel = page.getByRole("button", { name: "Cancel run" });
  await page.getByRole("button", { name: "Previous step" }).click();
  await expect(cancel).toHaveCount(0);
  await expect(decision(page).getByRole("button", { name: "Approve" })).toHaveCount(0);
  await page.getByRole("button", { name: "Go live" }).first().click();

  await cancel.click();
  const question = page.getByRole("dialog", { name: "Cancel run" });
  await question.getByRole("button", { name: "Keep running" }).click();
  await expect(node(page, "slow.work", "Running")).toBeVisible();
  await cancel.click();
  await question.getByRole("button", { name: "Cancel run" }).click();
  await expect(node(page, "slow.work", "Cancelled")).toBeVisible();
  await expect(node(page, "mail.send", "Cancelled")).toBeVisible();
  await expect(thread(page)).toContainText("Run cancelled");
  await expect(header(page)).toContainText("Cancelled");
  await expect(cancel).toHaveCount(0);
  release();
});

test("P25, P27: two instances are switched, each with its own delegate's calls expanded", async ({ page }) => {
  const delegate = `letters-${Date.now()}`;
  tools.answer("text.write", { status: 200, body: { text: "Dear customer" } });
  const release = tools.hold("text.write");
  const registered = await page.request.post("/api/delegates", {
    data: {
      name: delegate,
      plan: [{ _tool: "text.write", _id: "write", to: "†input.to", _outputPath: "†state.letter" }],
    },
  });
  expect(registered.status(), await registered.text()).toBe(201);
  expect((await page.request.post("/api/tools", { data: tools.definition("text.write") })).status()).toBe(201);
  await runLive(page, tools, {
    plan: [
      { _tool: "letter", _delegate: delegate, _id: "letter", to: "†input.name", _outputPath: "†state.letter" },
      { _tool: "mail.send", _id: "mail", letter: "†state.letter" },
    ],
    used: ["mail.send", { name: "letter", schema: { type: "object" } }],
    context: [
      { type: "input", _instance: "anna", name: "Anna" },
      { type: "input", _instance: "boris", name: "Boris" },
    ],
  });
  await expect(node(page, "text.write", "Running")).toBeVisible();
  await node(page, "text.write", "Running").click();
  await expect(inspector(page)).toContainText("Anna");
  await page.getByRole("group", { name: "Instance" }).getByText("boris").click();
  await expect(graph(page)).toContainText("Boris");
  await node(page, "text.write", "Running").click();
  await expect(inspector(page)).toContainText("Boris");
  release();
  await expect(node(page, "mail.send", "Succeeded")).toBeVisible();
  await expect(node(page, "letter", "Succeeded")).toBeVisible();
});

test("P16: an invalid plan shows its problems on its calls and in a list", async ({ page }) => {
  // The API never runs an invalid plan, but an external agent may report one.
  const id = `rejected-${Date.now()}`;
  const events = [
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: [{ _tool: "mail.send", _id: "mail", to: 42 }] }],
    [
      "plan.rejected",
      {
        iteration: 1,
        problems: [
          { code: "invalid_params", severity: "error", call: "mail", path: "/to", message: "“to” must be a text" },
        ],
      },
    ],
  ].map(([type, payload]) => ({ conversation_id: id, type, payload, run_id: `${id}-run` }));
  expect((await page.request.post("/api/events", { data: events })).status()).toBe(201);
  await page.goto(`/conversations/${id}`);
  const list = page.getByRole("region", { name: "Plan problems" });
  await expect(list).toContainText("Rejected, nothing ran");
  await list.getByRole("button", { name: /must be a text/ }).click();
  await expect(inspector(page)).toContainText("/to");
  await expect(graph(page).getByRole("img", { name: "1 problem" })).toBeVisible();
});
