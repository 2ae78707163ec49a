import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const CONTEXT = '[{ "type": "input", "input": { "id": "1842" } }]';
const TEXT = { type: "string" };
const NUMBER = { type: "number" };

const tool = (name: string, properties: Record<string, unknown>, output: Record<string, unknown>) => ({
  name,
  description: `Does ${name}`,
  schema: {
    type: "object",
    properties: { ...properties, _output: { type: "object", properties: output } },
    required: Object.keys(properties),
    additionalProperties: false,
  },
});
const TOOLS = JSON.stringify([
  tool("order.read", { id: TEXT }, { parcel: TEXT, total: NUMBER }),
  tool("parcel.trace", { parcel: TEXT }, { place: TEXT }),
  tool("money.refund", { amount: NUMBER, reason: { enum: ["lost", "late"] } }, { receipt: TEXT }),
  tool("mail.write", { text: TEXT }, {}),
]);

/** Comments are not JSON, but layout, order and unknown keys are the author's. */
const PLAN = `[
  { "_tool": "order.read",   "_id": "order", "id": "†input.id", "_outputPath": "†state.order" },

  { "_id": "mail", "text": "Hello",
    "_tool": "mail.write" }
]`;

const textOf = (page: Page): Locator => page.getByRole("textbox", { name: "Plan as JSON" });
const graph = (page: Page): Locator => page.getByRole("region", { name: "Plan graph" });
const node = (page: Page, name: string): Locator => graph(page).locator("[data-node]").and(page.getByLabel(name));
const form = (page: Page): Locator => page.getByRole("region", { name: "Call", exact: true });
const palette = (page: Page): Locator => page.getByRole("region", { name: "Tools", exact: true });
const problems = (page: Page): Locator => page.getByRole("region", { name: "Problems" });
const said = (page: Page): Locator => page.locator("main > [role=status]");
const written = async (page: Page): Promise<string> =>
  (await textOf(page).locator(".cm-line").allTextContents()).join("\n");

async function openPlayground(page: Page, plan: string) {
  const draft = JSON.stringify({ plan, context: CONTEXT, tools: TOOLS });
  await page.addInitScript((kept) => {
    if (localStorage.getItem("obelus-plan") === null) localStorage.setItem("obelus-plan", kept);
  }, draft);
  await page.goto("/plans");
  await expect(textOf(page)).toBeVisible();
  await expect(graph(page).getByRole("button", { name: "Add call" }).first()).toBeEnabled();
}

/** Adds a call by typing its tool's name. */
async function add(page: Page, typed: string, wanted: string) {
  await graph(page).getByRole("button", { name: "Add call" }).first().press("/");
  await palette(page).getByRole("combobox").fill(typed);
  await expect(palette(page).getByRole("option", { name: wanted })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await expect(node(page, `${wanted}, Planned`)).toHaveAttribute("aria-pressed", "true");
}

/** Drags from an output of a call, or from its title, onto another call. */
async function drag(page: Page, from: string, output: number, to: string) {
  const card = graph(page)
    .locator(".react-flow__node")
    .filter({ has: page.getByLabel(`${from}, Planned`) });
  await node(page, `${from}, Planned`).hover();
  const start = await card.locator(".pg-grip").nth(output).boundingBox();
  const end = await node(page, `${to}, Planned`).boundingBox();
  if (!start || !end) throw new Error("The calls are not drawn");
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 8 });
  await page.mouse.up();
}

test("C9: a plan of four calls with a branch is drawn, and runs", async ({ page }) => {
  await openPlayground(page, "");
  await expectAccessible(page);
  await add(page, "order", "order.read");
  await expect(said(page)).toHaveText("Added order_read");
  await form(page).getByRole("button", { name: "Read id from a path" }).click();
  await expectAccessible(page);
  await page.getByRole("option", { name: "†input.id" }).click();
  await expect(form(page).getByRole("list", { name: "id reads" })).toContainText("†input.id");

  // The dialog suggests the field of the result that fits.
  await add(page, "trace", "parcel.trace");
  await expectAccessible(page);
  await drag(page, "order.read", 0, "parcel.trace");
  const dialog = page.getByRole("dialog", { name: "Draw an edge" });
  await expect(dialog.getByLabel("Path")).toHaveValue("†state.order_read.parcel");
  await dialog.getByRole("button", { name: /^parcel/ }).click();
  await form(page).getByRole("button", { name: "Add a branch" }).click();
  await form(page).getByRole("textbox", { name: "Output path 2" }).fill("†state.lost");
  await page.keyboard.press("Enter");
  await expect(graph(page).getByRole("button", { name: "Writes †state.lost" })).toBeVisible();

  // Types are compared: only the number fits.
  await add(page, "refund", "money.refund");
  await form(page).getByRole("button", { name: "Read amount from a path" }).click();
  const paths = page.getByRole("listbox", { name: "Read amount from a path" }).getByRole("option");
  await expect(paths.first()).toContainText("†state.order_read.total");
  await expect(paths.filter({ hasText: "†state.order_read.parcel" })).toContainText("Does not fit");
  await page.keyboard.press("Enter");
  await form(page).getByRole("combobox", { name: "reason" }).selectOption("lost");
  await form(page).getByRole("button", { name: "Add a gate to amount" }).click();
  await page.getByRole("option", { name: "†state.lost" }).first().click();

  await add(page, "mail", "mail.write");
  await form(page).getByRole("textbox", { name: "text" }).fill("Your money is on its way");
  await form(page).getByRole("textbox", { name: "text" }).blur();
  await expect(problems(page)).not.toContainText("error");
  await expect
    .poll(() => written(page))
    .toBe(`[
  {
    "_tool": "order.read",
    "_id": "order_read",
    "id": "†input.id",
    "_outputPath": "†state.order_read"
  },
  {
    "_tool": "parcel.trace",
    "_id": "parcel_trace",
    "parcel": "†state.order_read.parcel",
    "_outputPath": "†state.parcel_trace || †state.lost"
  },
  {
    "_tool": "money.refund",
    "_id": "money_refund",
    "amount": "†state.lost && †state.order_read.total",
    "reason": "lost",
    "_outputPath": "†state.money_refund"
  },
  {
    "_tool": "mail.write",
    "_id": "mail_write",
    "text": "Your money is on its way",
    "_outputPath": "†state.mail_write"
  }
]`);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("dialog", { name: "Run in a new conversation" }).getByRole("button", { name: "Run" }).click();
  await expect(page).toHaveURL(/\/conversations\//);
});

test("C9: drawing and typing have one history, which restores the text to the byte", async ({ page }) => {
  await openPlayground(page, PLAN);
  await node(page, "mail.write, Planned").click();
  const field = form(page).getByRole("textbox", { name: "text" });
  await field.fill("Bye");
  await field.press("Enter");
  await expect.poll(() => written(page)).toBe(PLAN.replace("Hello", "Bye"));
  await textOf(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  await node(page, "order.read, Planned").click();
  await expect(node(page, "order.read, Planned")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Delete");
  await expect(said(page)).toHaveText("Deleted order");
  await expect(node(page, "order.read, Planned")).toBeHidden();
  await expect
    .poll(() => written(page))
    .toBe(`${PLAN.replace(/ {2}\{ "_tool": "order.*\n\n/, "").replace("Hello", "Bye")}\n`);

  const undo = graph(page).getByRole("button", { name: "Undo" });
  await page.keyboard.press("Control+z");
  await expect(node(page, "order.read, Planned")).toBeVisible();
  await undo.click();
  await undo.click();
  await expect.poll(() => written(page)).toBe(PLAN);
  await expect(undo).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => written(page)).toBe(PLAN.replace("Hello", "Bye"));
});

test("C9: while the text is broken the graph stays and waits, and goes on when it is mended", async ({ page }) => {
  await openPlayground(page, PLAN);
  await node(page, "mail.write, Planned").click();
  await textOf(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("[");
  await expect(graph(page).getByText("this is the last valid plan")).toBeVisible();
  await expect(graph(page).getByRole("button", { name: "Add call" })).toBeDisabled();
  await expect(node(page, "order.read, Planned")).toBeVisible();
  await node(page, "order.read, Planned").click();
  await expect(form(page).getByRole("textbox", { name: "Id" })).toBeDisabled();
  await node(page, "order.read, Planned").press("Delete");
  await expect.poll(() => written(page)).toBe(`[${PLAN}`);
  await page.keyboard.press("Control+z");
  await expect.poll(() => written(page)).toBe(PLAN);
  await expect(form(page).getByRole("textbox", { name: "Id" })).toBeEnabled();
});

test("C9: a call is copied and pasted with a name of its own, and a tool dropped on a call reads its result", async ({
  page,
}) => {
  await openPlayground(page, PLAN);
  await node(page, "order.read, Planned").click();
  await expect(node(page, "order.read, Planned")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Control+c");
  await page.keyboard.press("Control+v");
  await expect(said(page)).toHaveText("Pasted 1 call");
  await expect
    .poll(() => written(page))
    .toContain('{ "_tool": "order.read",   "_id": "order_2", "id": "†input.id", "_outputPath": "†state.order_2" }');
  await page.keyboard.press("Control+z");
  await expect.poll(() => written(page)).toBe(PLAN);

  await graph(page)
    .locator(".react-flow__pane")
    .dblclick({ position: { x: 20, y: 20 } });
  await palette(page).getByRole("option", { name: "parcel.trace" }).dragTo(node(page, "order.read, Planned"));
  await expect(node(page, "parcel.trace, Planned")).toBeVisible();
  const dialog = page.getByRole("dialog", { name: "Draw an edge" });
  await dialog.getByRole("button", { name: /^parcel/ }).click();
  await expect.poll(() => written(page)).toContain('"parcel": "†state.order.parcel"');
});

test("C9: a call is edited by the keyboard alone: renamed, with a path for its error and a fallback", async ({
  page,
}) => {
  await openPlayground(page, PLAN);
  await node(page, "order.read, Planned").focus();
  await page.keyboard.press("Enter");
  await expect(node(page, "order.read, Planned")).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  const id = form(page).getByRole("textbox", { name: "Id" });
  await expect(id).toBeFocused();
  await id.fill("mail");
  await page.keyboard.press("Enter");
  await expect(form(page).getByRole("alert")).toHaveText("Another call has this id.");
  await id.fill("deal");
  await page.keyboard.press("Enter");
  await expect.poll(() => written(page)).toBe(PLAN.replace('"_id": "order"', '"_id": "deal"'));
  await expect(page).toHaveURL(/call=deal/);
  const actions = form(page).getByRole("button", { name: "Actions of deal" });
  await actions.press("Enter");
  await page.getByRole("menuitem", { name: "Add an error path" }).press("Enter");
  await expect.poll(() => written(page)).toContain('"†state.order || †state.deal_error"');
  await expect(said(page)).toHaveText("Added an error path to deal");

  // A renamed path is renamed where it is read.
  await node(page, "mail.write, Planned").focus();
  await page.keyboard.press("Enter");
  await form(page).getByRole("button", { name: "Remove text" }).press("Enter");
  await form(page).getByRole("button", { name: "Read text from a path" }).press("Enter");
  await page.keyboard.type("order.parcel");
  await page.keyboard.press("Enter");
  await form(page).getByRole("button", { name: "Add a fallback to text" }).press("Enter");
  await page.keyboard.type("deal_error.message");
  await page.keyboard.press("Enter");
  await expect.poll(() => written(page)).toContain('"†state.order.parcel || †state.deal_error.message"');
  await node(page, "order.read, Planned").click();
  await form(page).getByRole("textbox", { name: "Output path 1" }).fill("†state.deal");
  await page.keyboard.press("Enter");
  await expect.poll(() => written(page)).toContain('"†state.deal.parcel || †state.deal_error.message"');
});

test("C9: a link has the plan and the selected call", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPlayground(page, PLAN);
  await node(page, "mail.write, Planned").click();
  await expect(form(page)).toBeVisible();
  await page.getByRole("button", { name: "Copy link" }).click();
  await expect(page.getByRole("button", { name: "Copied" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto("/plans");
  await page.evaluate(() => localStorage.clear());
  await page.goto(link);
  await expect(node(page, "mail.write, Planned")).toHaveAttribute("aria-pressed", "true");
  await expect(form(page).getByRole("textbox", { name: "text" })).toHaveValue("Hello");
});

test("C9: several calls are selected with Shift, a box and the keyboard, and edited as one step", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const third = '{ "_tool": "money.refund", "_id": "refund", "amount": 1, "reason": "lost" }';
  const plan = PLAN.replace(/\n\]$/, `,\n  ${third}\n]`);
  await openPlayground(page, plan);
  const bar = page.getByRole("region", { name: "Selected calls" });
  const menu = page.getByRole("menu", { name: "Edit" });
  const pressed = graph(page).locator("[data-node][aria-pressed=true]");

  await node(page, "order.read, Planned").click();
  await node(page, "mail.write, Planned").click({ modifiers: ["Shift"] });
  await expect(pressed).toHaveCount(2);
  await expect(bar.getByRole("status")).toHaveText("2 calls selected");
  await expectAccessible(page);
  await node(page, "money.refund, Planned").focus();
  await page.keyboard.press("x");
  await expect(bar.getByRole("status")).toHaveText("3 calls selected");
  await page.keyboard.press("x");
  await expect(pressed).toHaveCount(2);

  // The menu of a selected call is that of all of them.
  await node(page, "order.read, Planned").focus();
  await page.keyboard.press("Shift+F10");
  await expectAccessible(page);
  await menu.getByRole("menuitem", { name: "Duplicate" }).press("Enter");
  await expect(said(page)).toHaveText("Duplicated 2 calls");
  await expect.poll(() => written(page)).toContain('"_id": "order_2"');
  await expect.poll(() => written(page)).toContain('"_id": "mail_2"');
  await expect(bar.getByRole("status")).toHaveText("2 calls selected");
  await page.keyboard.press("Control+z");
  await expect.poll(() => written(page)).toBe(plan);

  // A box over all of them, then the menu of the pointer.
  const cards = await graph(page).locator(".react-flow__node").all();
  const boxes = (await Promise.all(cards.map((card) => card.boundingBox()))).flatMap((box) => box ?? []);
  const [left, top] = [Math.min(...boxes.map(({ x }) => x)), Math.min(...boxes.map(({ y }) => y))];
  const right = Math.max(...boxes.map(({ x, width }) => x + width));
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height));
  await page.keyboard.down("Shift");
  await page.mouse.move(left - 10, top - 10);
  await page.mouse.down();
  await page.mouse.move(right + 10, bottom + 10, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up("Shift");
  await expect(bar.getByRole("status")).toHaveText("3 calls selected");
  await node(page, "mail.write, Planned").click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Copy" }).click();
  await expect(said(page)).toHaveText("Copied 3 calls");
  await node(page, "mail.write, Planned").click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Delete" }).click();
  await expect(said(page)).toHaveText("Deleted 3 calls");
  await expect.poll(() => written(page)).toBe("[]");

  // On the ground, the menu pastes what was copied.
  await graph(page)
    .locator(".pg-empty, .react-flow__pane")
    .first()
    .click({ button: "right", position: { x: 20, y: 20 } });
  await menu.getByRole("menuitem", { name: "Paste" }).click();
  await expect(said(page)).toHaveText("Pasted 3 calls");
  await expect(bar.getByRole("status")).toHaveText("3 calls selected");
  await page.keyboard.press("Escape");
  await expect(pressed).toHaveCount(1);
});
