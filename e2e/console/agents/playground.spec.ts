import { randomUUID } from "node:crypto";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const PLAN = `[
  { "_tool": "order.read", "_id": "order", "id": "†input.id" },
  { "_tool": "mail.write", "_id": "mail", "text": "Hello", "_outputPath": "†state.mail" }
]`;
const CONTEXT = '[{ "type": "input", "input": { "id": "1842" } }]';
const TEXT = { type: "string" };
const TOOLS = JSON.stringify([
  {
    name: "order.read",
    schema: {
      type: "object",
      properties: { id: TEXT, _output: { type: "object", properties: { total: { type: "number" }, name: TEXT } } },
      required: ["id"],
      additionalProperties: false,
    },
  },
  {
    name: "mail.write",
    schema: {
      type: "object",
      properties: { text: TEXT, sum: { type: "object" }, _output: TEXT },
      required: ["text"],
      additionalProperties: false,
    },
  },
]);

const textOf = (page: Page, name = "Plan as JSON"): Locator => page.getByRole("textbox", { name });
const graph = (page: Page): Locator => page.getByRole("region", { name: "Plan graph" });
const node = (page: Page, tool: string, status: string): Locator =>
  graph(page).getByRole("button", { name: `${tool}, ${status}` });
const problems = (page: Page): Locator => page.getByRole("region", { name: "Problems" });
const simulation = (page: Page): Locator => page.getByRole("region", { name: "Simulation" });

/** Opens the playground with stored texts, and waits for the editor. */
async function openPlayground(page: Page, draft: { plan?: string; context?: string; tools?: string } = {}) {
  await page.addInitScript((kept) => {
    if (localStorage.getItem("obelus-plan") === null) localStorage.setItem("obelus-plan", kept);
  }, JSON.stringify(draft));
  await page.goto("/plans");
  await expect(textOf(page)).toBeVisible();
}

const openSound = (page: Page) => openPlayground(page, { plan: PLAN, context: CONTEXT, tools: TOOLS });

/** The plan's text in the editor. */
const written = async (page: Page): Promise<string> =>
  (await textOf(page).locator(".cm-line").allTextContents()).join("\n");

/** Replaces the plan in the editor: the browser's own selection may be reset at any moment. */
async function rewrite(page: Page, plan: string): Promise<void> {
  await textOf(page).focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(plan);
}

test("C9: selecting in the graph does not move the cursor while typing", async ({ page }) => {
  await openSound(page);
  await node(page, "order.read", "Planned").waitFor();
  const before = await written(page);
  await textOf(page).click();
  await page.keyboard.press("Control+End");
  await page.evaluate(() => window.history.replaceState(null, "", "?call=order"));
  await expect(node(page, "order.read", "Planned")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.type(" ");
  expect(await written(page)).toBe(`${before} `);
});

test("C9: completion of tools, parameters by the tool's schema, and state paths, with the keyboard", async ({
  page,
}) => {
  await openPlayground(page, { plan: "[]", context: CONTEXT, tools: TOOLS });
  await page.getByRole("heading", { name: "No plan yet" }).waitFor();
  // What is typed next belongs to the text already: it has the focus when the key has been handled.
  const focused = await page.evaluate(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "e", code: "KeyE", bubbles: true }));
    return document.activeElement?.getAttribute("aria-label");
  });
  expect(focused).toBe("Plan as JSON");
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowLeft");
  const options = page.getByRole("listbox", { name: "Completions" });
  const take = async (typed: string, wanted: string) => {
    await page.keyboard.type(typed);
    await expect(options.getByRole("option", { name: wanted }).first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Tab");
  };
  await page.keyboard.type('{"');
  await take("_to", "_tool");
  await take("order", "order.read");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.type(', "');
  await take("i", "id");
  await take("†", "†input");
  await page.keyboard.type(".id");
  await expect.poll(() => written(page)).toBe('[{"_tool": "order.read", "id": "†input.id"}]');
  await expect(node(page, "order.read", "Planned")).toBeVisible();
  await expect(problems(page)).toContainText("No problems");
});

test("C9, P16: problems are marked while typing, also on nodes, and one in the list leads to its position", async ({
  page,
}) => {
  await openSound(page);
  await expect(problems(page)).toContainText("No problems");
  await rewrite(page, PLAN.replace('"Hello"', '"†state.gone"'));
  const problem = problems(page).getByRole("button", { name: /mail · Never written/ });
  await expect(problem).toBeVisible();
  await expect(graph(page).getByRole("img", { name: "1 problem" })).toBeVisible();
  await expect(textOf(page).locator(".cm-lintRange-error")).toHaveText('"†state.gone"');
  await problem.click();
  await expect(textOf(page)).toBeFocused();
  await page.keyboard.type('"Hello"');
  await expect(problems(page)).toContainText("No problems");

  await rewrite(page, `${PLAN}]`);
  await expect(problems(page)).toContainText("Not JSON");
  await expect(graph(page).getByText("this is the last valid plan")).toBeVisible();
  await expect(node(page, "order.read", "Planned")).toBeVisible();
});

test("C9: an edge drawn in the graph is written as a reference, and one undo removes it", async ({ page }) => {
  await openSound(page);
  await expect(problems(page)).toContainText("No problems");
  const before = await written(page);
  await node(page, "order.read", "Planned").hover();
  const grip = graph(page).locator(".react-flow__node").filter({ hasText: "order.read" }).locator(".pg-grip");
  const from = await grip.boundingBox();
  const to = await node(page, "mail.write", "Planned").boundingBox();
  if (!from || !to) throw new Error("The calls are not drawn");
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 8 });
  await page.mouse.up();

  const dialog = page.getByRole("dialog", { name: "Draw an edge" });
  await expect(dialog).toContainText("order has no output path yet");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: /^sum/ }).click();
  await expect
    .poll(() => written(page))
    .toBe(
      before
        .replace('"†input.id" }', '"†input.id", "_outputPath": "†state.order" }')
        .replace('"Hello",', '"Hello", "sum": "†state.order",'),
    );
  await expect(graph(page).locator(".pg-edges path").first()).toBeAttached();
  await expect(problems(page)).toContainText("No problems");
  await textOf(page).focus();
  await page.keyboard.press("Control+z");
  await expect.poll(() => written(page)).toBe(before);
});

test("C9: an edge is drawn with the keyboard", async ({ page }) => {
  await openSound(page);
  await expect(node(page, "mail.write", "Planned")).toBeVisible();
  await page.keyboard.press("g");
  const dialog = page.getByRole("dialog", { name: "Draw an edge" });
  await dialog.getByRole("combobox", { name: "To" }).selectOption("mail");
  await dialog.getByRole("button", { name: /^text/ }).press("Enter");
  await expect.poll(() => written(page)).toContain('"text": "†state.order"');
});

test("C9: selecting a node selects its text, and the cursor in a call selects its node", async ({ page }) => {
  await openSound(page);
  await node(page, "mail.write", "Planned").click();
  await expect(page).toHaveURL(/call=mail/);
  await expect(textOf(page).locator("xpath=..").locator(".cm-selectionBackground").first()).toBeAttached();
  await textOf(page).getByText('"order.read"').click();
  await expect(page).toHaveURL(/call=order/);
  await expect(node(page, "order.read", "Planned")).toHaveAttribute("aria-pressed", "true");
});

test("C9, P18: a plan is simulated wave by wave with chosen branches, and the state shows each wave's changes", async ({
  page,
}) => {
  await openPlayground(page);
  await graph(page).getByRole("button", { name: "Lost parcel" }).click();
  await expect(simulation(page)).toContainText("Before wave 1");
  await page.getByRole("button", { name: "Next wave" }).click();
  await expect(node(page, "orders.get", "Succeeded")).toBeVisible();
  await expect(node(page, "parcels.trace", "Planned")).toBeVisible();
  await expect(simulation(page)).toContainText("order.number");
  await page.getByRole("button", { name: "Go to wave 4" }).click();
  await expect(node(page, "payments.refund", "Succeeded")).toBeVisible();
  await expectAccessible(page);

  await simulation(page).getByRole("combobox", { name: "trace" }).selectOption({ label: "†state.on_its_way" });
  await expect(simulation(page)).toContainText("Wave 3 of 3");
  await expect(node(page, "payments.refund", "Skipped")).toBeVisible();
  await page.getByRole("button", { name: "Previous wave" }).click();
  await expect(simulation(page)).toContainText("Wave 2 of 3");
  await simulation(page).getByRole("button", { name: "Play" }).click();
  await expect(simulation(page)).toContainText("Wave 3 of 3");
});

test("C9: a plan runs in a new conversation, and opens in the playground again from there", {
  tag: "@postgres",
}, async ({ page }) => {
  await openPlayground(page);
  await graph(page).getByRole("button", { name: "Lost parcel" }).click();
  await expect(problems(page)).toContainText("No problems");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Run in a new conversation" });
  await dialog.getByRole("radio", { name: /^Full/ }).check();
  await dialog.getByRole("button", { name: "Run" }).click();
  await expect(page).toHaveURL(/\/conversations\//);
  await expect(node(page, "mail.send", "Succeeded")).toBeVisible();

  await graph(page).getByRole("link", { name: "Edit this plan" }).click();
  await expect(textOf(page)).toContainText("†state.lost && †state.order.payment");
  await expect(problems(page)).toContainText("No problems");
  await page.getByText("Context", { exact: true }).click();
  await expect(textOf(page, "Context as JSON")).toContainText("1842");
  await expect(page).toHaveURL(/\/plans$/);
});

test("C9, P27: a plan is saved as a delegate; replacing an existing one has to be chosen", async ({ page }) => {
  const name = `refund${randomUUID().slice(0, 8)}`;
  await openPlayground(page);
  await graph(page).getByRole("button", { name: "Lost parcel" }).click();
  await expect(problems(page)).toContainText("No problems");
  await page.getByRole("button", { name: "Save as delegate" }).click();
  const dialog = page.getByRole("dialog", { name: "Save as delegate" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Description").fill("Gives the money back");
  await dialog.getByLabel("†state.receipt").check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("status")).toContainText(`"_delegate": "${name}"`);
  const { items } = await (await page.request.get("/api/delegates")).json();
  expect(items.find((one: { name: string }) => one.name === name)).toMatchObject({
    description: "Gives the money back",
    writes: ["†state.receipt"],
    plan: [{ _id: "order" }, { _id: "trace" }, { _id: "refund" }, { _id: "mail" }],
  });

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save as delegate" }).click();
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel(`Replace the existing delegate ${name}`).check();
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("status")).toContainText("Saved");

  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save as delegate" }).click();
  await dialog.getByLabel("Name").fill("anonymous");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("alert")).toContainText("/name");
});

test("C9: a draft survives a reload; a link opens a plan, and the previous draft is kept", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPlayground(page, { plan: "[]" });
  await rewrite(page, PLAN);
  await expect(node(page, "order.read", "Planned")).toBeVisible();
  await page.reload();
  await expect(textOf(page)).toContainText("mail.write");
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toBeAttached();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain("/plans#plan=");

  await rewrite(page, '[{ "_tool": "mine" }]');
  await expect(node(page, "mine", "Planned")).toBeVisible();
  await page.goto("about:blank");
  await page.goto(link);
  await expect(textOf(page)).toContainText("order.read");
  await page.getByRole("button", { name: "Back to my text" }).click();
  await expect(textOf(page)).toContainText("mine");
});

test("C9, C12: while the server is unreachable the page says so, and validates when it is back", async ({ page }) => {
  await openSound(page);
  await expect(problems(page)).toContainText("No problems");
  await page.route("**/api/plans/**", (route) => route.abort());
  await rewrite(page, PLAN.replace("Hello", "Bye"));
  await expect(problems(page)).toContainText("Not checked");
  await page.unroute("**/api/plans/**");
  await expect(problems(page)).toContainText("No problems");
});

test("C9: in Russian, in dark mode, and in a narrow window", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ locale: "ru-RU", colorScheme: "dark", ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  await page.goto("/plans");
  await page.getByRole("region", { name: "Граф плана" }).getByRole("button", { name: "Курс валюты" }).click();
  await expect(page.getByRole("region", { name: "Симуляция" })).toContainText("До волны 1");
  await expect(page.getByRole("region", { name: "Проблемы" })).toContainText("Проблем нет");
  await expectAccessible(page);
  await page.setViewportSize({ width: 420, height: 800 });
  await expect(page.getByRole("textbox", { name: "План в JSON" })).toBeVisible();
  await page.getByText("Симуляция", { exact: true }).filter({ visible: true }).first().click();
  await expect(page.getByRole("button", { name: "Следующая волна" })).toBeVisible();
  await expect(page.getByRole("textbox", { name: "План в JSON" })).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await context.close();
});

test("P16: problems are shown in Russian, down to the parts of a sentence", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ locale: "ru-RU", ...(baseURL && { baseURL }) });
  const page = await context.newPage();
  await page.addInitScript(
    (kept) => localStorage.setItem("obelus-plan", kept),
    JSON.stringify({
      plan: '[{ "_tool": "mail.write", "_id": "mail", "text": "†state.gone", "sum": 5 }]',
      tools: TOOLS,
    }),
  );
  await page.goto("/plans");
  const list = page.getByRole("region", { name: "Проблемы" });
  await expect(list).toContainText("Параметр sum вызова mail: требуется объект");
  await expect(list).toContainText("†state.gone не пишет ни один вызов, и в начальном состоянии его нет");
  await page
    .getByRole("button", { name: /^mail\.write/ })
    .first()
    .click();
  await expect(page.locator(".pg-fault").first()).toHaveAttribute("title", /требуется объект/);
  await context.close();
});

test("C9: typing in a plan of 1,000 calls stays responsive", async ({ page }) => {
  const calls = Array.from({ length: 1_000 }, (_, index) => ({
    _tool: "mail.write",
    _id: `c${index}`,
    text: index < 10 ? "Hello" : `†state.v${index - 10}`,
    _outputPath: `†state.v${index}`,
  }));
  const plan = `[\n${calls.map((call) => `  ${JSON.stringify(call)}`).join(",\n")}\n]`;
  await openPlayground(page, { plan, context: CONTEXT, tools: TOOLS });
  await expect(problems(page)).toContainText("No problems");
  await expect(graph(page)).toContainText("1,000 calls");
  await textOf(page).getByText('"Hello"').first().click();
  // The first one may only go to where the line wraps.
  await page.keyboard.press("End");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(', "sum": {}');
  await expect(problems(page)).toContainText("No problems");
  await expect(textOf(page).getByText('"sum"').first()).toBeVisible();
});
