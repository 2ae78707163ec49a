import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import type { Json } from "../../../lib/session/json/json.ts";
import { button, field, fresh, open as openKey, panel, put, told } from "../setup/agent-page.ts";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const HOUR = 3_600_000;
const START = Date.parse("2026-11-20T09:00:00Z");
const at = (hours: number) => new Date(START + hours * HOUR).toISOString().replace(".000Z", "Z");

const action = { method: "crm.deal.update", params: { id: 123, fields: { OPPORTUNITY: 100_000 } } };

const request123 = {
  status: "requested",
  requested_at: at(0),
  description: "Change the amount of deal 123 to 100000",
  action: { ...action, requires_confirmation: true },
};

const memory = {
  goals: ["Change the amount of deal 123"],
  done: [{ timestamp: at(0), description: "Deal 123 was looked at", object_ids: { deal_id: 123 } }],
  in_progress: [{ description: "Waits for a decision about the amount", requested_at: at(0) }],
  objects: { current_deal_id: 123, current_contact_id: 456, current_company_id: null, current_task_id: null },
  next_planned_actions: [action],
  confirmations: { deal_123_opportunity: request123 },
  event_bindings: [{ event: "onCrmDealAdd", handler: "https://example.test/hook" }],
  mood: "kept, though nobody knows it",
};

const remember = (request: APIRequestContext, user: string, value: Json): Promise<void> =>
  put(request, `memory:${user}`, "memory", value);

const open = (page: Page, user: string): Promise<void> => openKey(page, `memory:${user}`, "memory");

const part = (where: Locator, name: string): Locator => where.getByRole("region", { name, exact: true });

/** Imports a file. */
async function importFile(page: Page, text: string): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await button(page, "Import…").click();
  await (await chooser).setFiles({ name: "memory.json", mimeType: "application/json", buffer: Buffer.from(text) });
}

/** Exports the memory and returns the file's bytes. */
async function exportFile(page: Page): Promise<string> {
  const download = page.waitForEvent("download");
  await button(page, "Export").click();
  return readFile(await (await download).path(), "utf8");
}

test("M2, M10: a user's memory is shown in sections with its self-check, beside the JSON", async ({
  page,
  request,
}) => {
  const user = fresh("user");
  await remember(request, user, memory);
  await open(page, user);
  await expect(part(panel(page), "Goals")).toContainText("Change the amount of deal 123");
  await expect(part(panel(page), "In progress")).toContainText("Waits for a decision about the amount");
  await expect(part(panel(page), "Objects")).toContainText(/Deal\s*123/);
  await expect(part(panel(page), "Done")).toContainText("Deal 123 was looked at");
  await expect(part(panel(page), "Planned actions")).toContainText("Change the amount of deal 123 to 100000");
  const confirmations = part(panel(page), "Approvals");
  await expect(confirmations).toContainText("Waiting for approval");
  await expect(confirmations).toContainText("deal_123_opportunity");
  await expect(part(panel(page), "Event subscriptions")).toContainText("onCrmDealAdd");
  await expect(part(panel(page), "Other fields")).toContainText("kept, though nobody knows it");
  await expect(part(panel(page), "Self-check")).toContainText("has waited for a decision");
  await page.getByRole("tab", { name: "JSON" }).click();
  await expect(panel(page).getByRole("treeitem", { name: /goals/ })).toBeVisible();
});

test("M13: an invalid memory is reported, its stored value is shown, and it can be fixed", async ({
  page,
  request,
}) => {
  const user = fresh("user");
  await remember(request, user, { ...memory, goals: "none" });
  await open(page, user);
  await expect(told(page)).toContainText("Invalid memory");
  await expect(told(page)).toContainText("/goals");
  await expect(panel(page).getByRole("treeitem", { name: /goals/ })).toContainText("none");
  await button(page, "Export").click();
  await expect(page.getByText("This value is not a valid memory")).toBeVisible();

  await page.getByRole("tab", { name: "Edit" }).click();
  await field(page).fill(JSON.stringify({ ...memory, goals: "still none" }));
  await button(page, "Save").click();
  await expect(panel(page).getByRole("alert")).toContainText("/goals");
  await field(page).fill(JSON.stringify(memory));
  await button(page, "Save").click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
  await expect(part(panel(page), "Goals")).toContainText("Change the amount of deal 123");
});

test("M1: a memory is exported and imported unchanged; an import is reviewed before it is saved", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const user = fresh("user");
  await remember(request, user, memory);
  await open(page, user);
  const file = await exportFile(page);
  expect(JSON.parse(file)).toEqual(memory);

  await importFile(page, file.replace('"Change the amount of deal 123"', '"Another goal"'));
  await page.getByText("1 difference from version 1").click();
  await expect(panel(page).getByRole("listitem")).toHaveText(/goals\[0\]/);
  await button(page, "Save").click();
  await expect(part(panel(page), "Goals")).toContainText("Another goal");

  await importFile(page, file.replace('"requested"', '"wished for"'));
  await button(page, "Save").click();
  await expect(told(page)).toContainText("/confirmations/deal_123_opportunity/status");
  await button(page, "Discard").click();
  await button(page, "Discard changes").click();

  await importFile(page, file);
  await button(page, "Save").click();
  await expect(page.getByText("Saved as version 3")).toBeVisible();
  expect(await exportFile(page)).toBe(file);
});

test("E12: an import does not overwrite a memory that was changed concurrently", async ({ page, request }) => {
  const user = fresh("user");
  await remember(request, user, memory);
  await open(page, user);
  await importFile(page, JSON.stringify({ ...memory, goals: ["From the file"] }));
  await expect(field(page)).toHaveValue(/From the file/);
  await remember(request, user, { ...memory, goals: ["By the agent"] });
  await button(page, "Save").click();
  await expect(told(page)).toContainText("Someone else changed this value");
  await expect(page.getByRole("row", { name: /^goals\[0\]/ }).getByRole("cell")).toHaveText([
    '"Change the amount of deal 123"',
    /"By the agent"/,
    /"From the file"/,
  ]);
  await button(page, "Overwrite with mine").click();
  await expect(part(panel(page), "Goals")).toContainText("From the file");
});

/** Records a session whose memory and trace change step by step. */
async function recordSession(request: APIRequestContext): Promise<string> {
  const id = `memory-${randomUUID()}`;
  const run = { run_id: `${id}-run` };
  const trace = (...phases: string[]) => ({
    agent_id: id,
    key: "last_trace",
    value: { conversation: { steps: phases.map((phase) => ({ phase, content: `${phase} of the deal` })) } },
  });
  const empty = { ...memory, goals: ["Find the deal"], done: [], in_progress: [], confirmations: {} };
  const steps: [type: string, payload: object, hours: number][] = [
    ["message.created", { message_id: `${id}-1`, role: "user", content: "Raise deal 123" }, 0],
    ["memory.updated", { delta: [{ op: "add", path: "", value: empty }] }, 0],
    ["run.started", {}, 0],
    [
      "plan.proposed",
      {
        iteration: 1,
        calls: [{ _tool: "crm.deal.get", _id: "get", id: 123, _reasoningForCall: "Its amount is unknown" }],
      },
      0,
    ],
    ["agent_state.written", trace("reasoning"), 0],
    ["call.started", { call_id: "get", tool: "crm.deal.get", iteration: 1 }, 0],
    ["call.succeeded", { call_id: "get", tool: "crm.deal.get", iteration: 1, output: { ID: 123 } }, 0],
    [
      "memory.updated",
      {
        delta: [
          { op: "add", path: "/goals/0", value: "Raise the amount" },
          { op: "add", path: "/done/-", value: memory.done[0] },
          { op: "add", path: "/confirmations/deal_123_opportunity", value: request123 },
        ],
      },
      1,
    ],
    ["agent_state.written", trace("reasoning", "action"), 1],
    ["run.finished", {}, 30],
  ];
  const events = steps.map(([type, payload, hours], index) => ({
    id: `${id}-${index}`,
    conversation_id: id,
    type,
    actor: "agent:crm",
    payload,
    occurred_at: at(hours),
    ...(index > 1 && type !== "memory.updated" ? run : {}),
  }));
  expect((await request.post("/api/events", { data: events })).status()).toBe(201);
  return id;
}

test("C6: the Memory tab shows the memory at a step, the step's changes, and the self-check of that time", async ({
  page,
  request,
}) => {
  const id = await recordSession(request);
  await page.goto(`/conversations/${id}?tab=memory&at=8`);
  const inspector = page.getByRole("region", { name: "Inspector" });
  const goals = part(inspector, "Goals").getByRole("listitem");
  await expect(goals).toHaveText([/added by this step:\s*Raise the amount/, "Find the deal"]);
  await expect(part(inspector, "Done").getByRole("listitem")).toHaveText(/added by this step/);
  await expect(part(inspector, "Approvals")).toContainText("Waiting for approval");
  await expect(part(inspector, "Self-check")).toContainText("no warnings");
  await expect(inspector).toContainText("This step changed the memory.");

  await page.goto(`/conversations/${id}?tab=memory&at=10`);
  await expect(goals).toHaveText(["Raise the amount", "Find the deal"]);
  await expect(part(inspector, "Self-check")).toContainText("has waited for a decision for 30 hours");
  await inspector.getByRole("button", { name: "Last change: step 8" }).click();
  await expect(page).toHaveURL(/at=8/);

  await page.goto(`/conversations/${id}?tab=memory&at=3`);
  await expect(goals).toHaveText(["Find the deal"]);
  await page.goto(`/conversations/${id}?tab=memory&at=1`);
  await expect(inspector).toContainText("No memory at this step");
});

test("C6: a memory in a custom format is shown as it is, with the step's changes", async ({ page, request }) => {
  const id = `memory-${randomUUID()}`;
  const updated = (...delta: object[]) => ({ conversation_id: id, type: "memory.updated", payload: { delta } });
  const data = [
    updated({ op: "add", path: "", value: { facts: { city: "Kazan" } } }),
    updated({ op: "add", path: "/facts/size", value: 42 }),
  ];
  expect((await request.post("/api/events", { data })).status()).toBe(201);
  await page.goto(`/conversations/${id}?tab=memory`);
  const tree = page.getByRole("tree", { name: "Raw memory" });
  await expect(tree.getByRole("treeitem", { name: /size/ })).toContainText("added");
  await expect(tree.getByRole("treeitem", { name: /city/ })).not.toContainText("added");
});

test("C6: the Trace tab shows the newest trace of each agent at a step, and the reasons of planned calls", async ({
  page,
  request,
}) => {
  const id = await recordSession(request);
  const inspector = page.getByRole("region", { name: "Inspector" });
  const trace = part(inspector, `${id} / last_trace`);
  await page.goto(`/conversations/${id}?tab=trace&at=6`);
  await expect(trace.getByRole("heading", { level: 4 })).toHaveText(["Reasoning"]);
  await page.goto(`/conversations/${id}?tab=trace`);
  await expect(trace.getByRole("heading", { level: 4 })).toHaveText(["Reasoning", "Action"]);
  await expect(inspector).toContainText("Its amount is unknown");
  await inspector.getByRole("button", { name: /crm\.deal\.get/ }).click();
  await expect(page).toHaveURL(/call=get/);

  await page.goto(`/conversations/${id}?tab=trace&at=1`);
  await expect(inspector).toContainText("No reasoning recorded by this step");
});

test("C6, C8: axe reports nothing on a memory and a trace", async ({ page, request }) => {
  const user = fresh("user");
  await remember(request, user, memory);
  await remember(request, `${user}-broken`, { goals: 7 });
  const id = await recordSession(request);
  const check = async (shown: Locator) => {
    await expect(shown).toBeVisible();
    // The panes have their sizes after layout.
    await expect(page.locator("[role=separator]:not([aria-valuenow])")).toHaveCount(0);
    await expectAccessible(page);
  };
  await open(page, user);
  await check(part(panel(page), "Goals"));
  await open(page, `${user}-broken`);
  await check(told(page).filter({ hasText: "cannot be read" }).or(page.getByText("Invalid memory")));
  await page.goto(`/conversations/${id}?tab=memory&at=8`);
  await check(page.getByText("Raise the amount"));
  await page.goto(`/conversations/${id}?tab=trace`);
  await check(page.getByText("Its amount is unknown"));
});
