import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { header, inspector, thread } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

const STATE = {
  ...{ message: "Show me how it would answer for my bakery", previous_response_id: null, chat_id: "c" },
  ...{ stage: "admin", extracted_info: null, answer: "", manager_alert: null, agent_name: null },
  ...{ used_tools: [], response_id: null },
};
const SWITCHED = { ...STATE, stage: "demo", agent_name: "admin", used_tools: ["SwitchToDemo"], response_id: "resp_1" };
const GREETING = "[Demonstration] Hello from the bakery!";
const GREETED = { ...SWITCHED, answer: GREETING, agent_name: "demo", response_id: "resp_2" };

/** The agent of an iteration. */
const speaker = (agent_id: string, node: string) => ({
  ...{ agent_id, node, instructions: "Answer.", history: { source: "prompt", locale: "en" } },
  ...{ mode: "execute", max_iterations: 10 },
});

type Step = [type: string, payload: object, more?: object];

const inRun = { run_id: "run", agent_id: "admin" };

/** A turn that the administrator hands over to the demonstration: 18 steps. */
const TURN: Step[] = [
  ["conversation.created", { channel: "web", title: "A bakery", agent_id: "admin" }],
  ["message.created", { message_id: "said", role: "user", content: STATE.message }],
  ["run.started", { directed: true, answers: "said" }, inRun],
  ["stage.entered", { node: "detect_stage", state: { ...STATE, stage: null } }, inRun],
  ["stage.changed", { from: null, to: "admin" }, inRun],
  ["stage.entered", { node: "handle_admin", agent_id: "admin", state: STATE }, inRun],
  ["run.iteration", { iteration: 1, speaker: speaker("admin", "handle_admin") }, inRun],
  ["plan.proposed", { iteration: 1, calls: [{ _tool: "prices.get", _id: "prices" }] }, inRun],
  ["call.started", { call_id: "prices", tool: "prices.get", params: {} }, inRun],
  ["call.succeeded", { call_id: "prices", tool: "prices.get", output: [] }, inRun],
  ["run.iteration", { iteration: 2 }, inRun],
  ["stage.changed", { from: "admin", to: "demo" }, inRun],
  ["stage.entered", { node: "handle_demo", agent_id: "demo", state: SWITCHED }, inRun],
  ["run.iteration", { iteration: 3, speaker: speaker("demo", "handle_demo") }, { ...inRun, agent_id: "demo" }],
  ["stage.entered", { node: "END", state: GREETED }, inRun],
  ["message.created", { message_id: "answer", role: "assistant", content: GREETING }, { ...inRun, agent_id: "demo" }],
  ["run.finished", { output: GREETING }, inRun],
];

/** The user returns to the administrator with a command, and the agent calls a manager. */
const CALLED: Step[] = [
  ["message.created", { message_id: "stop", role: "user", content: "стоп" }],
  ["run.started", { directed: true, answers: "stop" }, { ...inRun, run_id: "again" }],
  ["stage.entered", { node: "detect_stage", state: { ...STATE, stage: "demo" } }, { ...inRun, run_id: "again" }],
  ["stage.changed", { from: "demo", to: "admin" }, { ...inRun, run_id: "again" }],
  ["stage.entered", { node: "handle_admin", agent_id: "admin", state: STATE }, { ...inRun, run_id: "again" }],
  ["run.iteration", { iteration: 1, speaker: speaker("admin", "handle_admin") }, { ...inRun, run_id: "again" }],
  ["manager.alerted", { text: "Wants a person", reason: "asked" }, { ...inRun, run_id: "again" }],
  ["run.finished", { reason: "escalated" }, { ...inRun, run_id: "again" }],
];

/** Records events under ids of their own. */
async function record(request: APIRequestContext, steps: Step[]): Promise<string> {
  const id = `stages-${randomUUID()}`;
  const own = (value: unknown) => (typeof value === "string" ? `${id}-${value}` : undefined);
  const data = steps.map(([type, payload, more = {}], index) => ({
    id: `${id}-${index + 1}`,
    conversation_id: id,
    type,
    occurred_at: new Date(START + index * 1_000).toISOString(),
    ...more,
    run_id: "run_id" in more ? own(more.run_id) : undefined,
    payload: { ...payload, ...("message_id" in payload && { message_id: own(payload.message_id) }) },
  }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
  return id;
}

async function open(page: Page, id: string, query = ""): Promise<void> {
  await page.goto(`/conversations/${encodeURIComponent(id)}${query}`);
  // Also in Russian: the page is connected, and nothing changes afterwards.
  await expect(page.getByText(/^(Live|Онлайн|You are viewing step|Вы смотрите шаг)/).first()).toBeVisible();
}

const stages = (page: Page): Locator => page.getByRole("region", { name: "Stage graph" });
const node = (page: Page, name: string): Locator => stages(page).getByRole("button", { name: new RegExp(`^${name},`) });
const edges = (page: Page): Locator => stages(page).getByRole("list", { name: "Edges" }).getByRole("listitem");

test("D1: the graph pane switches from the plan to the stages, and the address keeps it", async ({ page }) => {
  const id = await record(page.request, TURN);
  await open(page, id);
  await expect(page.getByRole("region", { name: "Plan graph" })).toContainText("prices.get");
  await page.getByRole("radio", { name: "Plan" }).press("ArrowRight");
  await expect(page).toHaveURL(/graph=stages/);
  await expect(page.getByRole("radio", { name: "Stages" })).toBeFocused();
  await expect(node(page, "Administrator")).toHaveAccessibleName("Administrator, 2 in the path");
  await expect(node(page, "Demonstration")).toHaveAccessibleName("Demonstration, 3 in the path");
  await expect(node(page, "Demo setup")).toHaveAccessibleName("Demo setup, not taken");
  await expect(node(page, "End")).toHaveAttribute("aria-current", "step");
  await expect(edges(page).filter({ hasText: "taken" })).toHaveText([
    "Start to Detect stage, taken",
    /^Detect stage to Administrator, when “admin”, taken$/,
    /^Administrator to Demonstration, when “.+”, taken$/,
    "Demonstration to End, taken",
  ]);

  await node(page, "Administrator").click();
  await expect(page).toHaveURL(/node=handle_admin/);
  await page.reload();
  await expect(node(page, "Administrator")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/node=/);
});

test("D3: a node shows its agents, their iterations, and the conversation state after it", async ({ page }) => {
  const id = await record(page.request, TURN);
  await open(page, id, "?graph=stages&node=handle_admin");
  const state = inspector(page).getByRole("tree", { name: "Conversation state" });
  await expect(inspector(page)).toContainText("SwitchToDemo");
  await expect(state).toContainText("resp_1");
  await expect(inspector(page).getByRole("list", { name: "Path taken" }).getByRole("button")).toHaveText([
    /Detect stage/,
    /Administratoradmin/,
    /Demonstrationdemo/,
    /End/,
  ]);
  await inspector(page)
    .getByRole("list", { name: "Path taken" })
    .getByRole("button", { name: /Demonstration/ })
    .click();
  await expect(inspector(page).getByRole("heading", { name: "Demonstration" })).toBeVisible();
  await expect(inspector(page)).toContainText(GREETING);
  await expect(inspector(page)).toContainText("resp_2");
  await expect(node(page, "Demonstration")).toHaveAttribute("aria-pressed", "true");
  // The third iteration is the demonstration's: the link leads to its first step.
  await inspector(page).getByRole("button", { name: "Iteration 3" }).click();
  await expect(page).toHaveURL(/at=14/);
  await expect(node(page, "Demonstration")).toHaveAccessibleName("Demonstration, 3 in the path, the turn is here");
});

test("C5: at a step the stages show only the path so far", async ({ page }) => {
  const id = await record(page.request, TURN);
  await open(page, id, "?graph=stages&at=7");
  await expect(node(page, "Administrator")).toHaveAccessibleName("Administrator, 2 in the path, the turn is here");
  await expect(node(page, "Administrator")).toContainText("7");
  await expect(node(page, "Demonstration")).toHaveAccessibleName("Demonstration, not reached yet");
  await expect(edges(page).filter({ hasText: "taken" })).toHaveCount(2);
  await expect(inspector(page).getByRole("heading", { name: "Administrator" })).toBeVisible();
  await expect(inspector(page)).not.toContainText("resp_1");
  await expect(thread(page)).not.toContainText("Demonstration");
});

test("D1: each answer and the run show the agent and the stage by name", async ({ page }) => {
  const id = await record(page.request, TURN);
  await open(page, id);
  await expect(thread(page).getByRole("article").filter({ hasText: GREETING })).toContainText("demo");
  await expect(thread(page).getByRole("heading", { name: "Run 1" })).toHaveText(/Administrator.*Demonstration/);
  await expect(thread(page)).toContainText("Stage: Administrator → Demonstration");
  await page.goto(`/?q=${encodeURIComponent("bakery")}`);
  await expect(page.getByRole("row").filter({ hasText: "A bakery" }).first()).toContainText("Demonstration");
});

test("a run outside of the main graph has no stages", async ({ page }) => {
  const id = await record(
    page.request,
    TURN.filter(([type]) => type !== "stage.entered"),
  );
  await open(page, id, "?graph=stages");
  await expect(page.getByRole("region", { name: "Plan graph" })).toContainText("prices.get");
  await expect(page.getByRole("radio", { name: "Stages" })).toHaveCount(0);
});

test("D2, D9: «стоп» and an alert are shown in words, and the alert links to all alerts", async ({ page }) => {
  const id = await record(page.request, [...TURN, ...CALLED]);
  await open(page, id, "?graph=stages");
  await expect(thread(page)).toContainText("Stage: Demonstration → Administrator, on “стоп”");
  await expect(stages(page)).toContainText("Finished: manager called");
  await expect(node(page, "Administrator")).toHaveAccessibleName("Administrator, 2 in the path, the turn is here");
  await expect(inspector(page)).toContainText("the turn ended here");
  await header(page)
    .getByRole("button", { name: /^Run 2/ })
    .click();
  await expect(page.getByRole("img", { name: "Finished: manager called" })).toBeVisible();
  await page.keyboard.press("Escape");
  const alert = thread(page).getByRole("article").filter({ hasText: "Wants a person" });
  await expect(alert).toContainText("asked");
  await alert.getByRole("link", { name: "All alerts" }).click();
  await expect(page).toHaveURL(/\/approvals\/alerts/);
});

test("the stages are accessible", async ({ page }) => {
  const id = await record(page.request, TURN);
  await open(page, id, "?graph=stages&node=handle_demo&at=14");
  await expect(inspector(page).getByRole("tree")).toBeVisible();
  await expectAccessible(page);
});

test("the stages are in Russian, and fit a narrow window", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  await page.setViewportSize({ width: 1024, height: 768 });
  const id = await record(page.request, TURN);
  await page.goto(`/conversations/${id}?graph=stages&node=handle_admin`);
  const drawn = page.getByRole("region", { name: "Граф стадий" });
  await expect(drawn.getByRole("button", { name: "Администратор, 2 в пути" })).toBeVisible();
  await expect(drawn.getByRole("button", { name: "Подготовка демо, не выбран" })).toBeInViewport({ ratio: 0.99 });
  await expect(drawn.getByRole("button", { name: /^Конец/ })).toBeInViewport({ ratio: 0.99 });
  await expect(page.getByRole("tree", { name: "Состояние диалога" })).toContainText("SwitchToDemo");
});
