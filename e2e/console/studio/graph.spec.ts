import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { graph, inspector, node, thread } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

const START = Date.parse("2026-11-20T09:00:00.000Z");

type Step = [type: string, payload: object];

const called = (id: string, tool: string, outcome: string, more: object = {}): Step[] => [
  ["call.started", { call_id: id, tool, params: {}, ...more }],
  [outcome, { call_id: id, tool, ...(outcome === "call.succeeded" ? { output: 1 } : FAILURE), ...more }],
];
const FAILURE = { error: { code: "BUSY", message: "try <later>" } };

const GET = { _tool: "deal.get", _id: "get", id: 7, _outputPath: "†state.deal" };
const CHECK = { _tool: "policy.check", _id: "check", amount: "†state.deal.amount", _outputPath: "†state.allowed" };
const UPDATE = { _tool: "deal.update", _id: "update", ok: "†state.allowed", amount: 250 };
const LOG = { _tool: "log.write", _id: "log", deal: "†state.deal.id" };

/** Two iterations: the second keeps a call, changes one, adds one and removes one. */
const REPLANNED: Step[] = [
  ["plan.proposed", { iteration: 1, calls: [GET, CHECK, UPDATE] }],
  ...called("get", "deal.get", "call.succeeded"),
  ["state.written", { path: "†state.deal", value: { id: 7, amount: 200 }, call_id: "get", iteration: 1 }],
  ...called("check", "policy.check", "call.failed"),
  ["plan.proposed", { iteration: 2, calls: [GET, { ...CHECK, limit: 300 }, LOG] }],
  ["state.written", { path: "†state.deal.amount", value: 240, call_id: "get", iteration: 2 }],
];

/** A chain beside many other calls: a large plan with one chain of 8 calls, of which one fails. */
const CHAINED: Step[] = [
  [
    "plan.proposed",
    {
      iteration: 1,
      calls: [
        ...Array.from({ length: 10 }, (_, index) => ({
          ...{ _tool: `step.${index}`, _id: `c${index}`, _outputPath: `†state.c${index}` },
          ...(index > 0 && { value: `†state.c${index - 1}` }),
        })),
        ...Array.from({ length: 35 }, (_, index) => ({ _tool: "side.do", _id: `s${index}`, value: "†state.c9" })),
      ],
    },
  ],
  ...called("c0", "step.0", "call.succeeded"),
  ...called("c1", "step.1", "call.succeeded"),
  ...called("c2", "step.2", "call.failed"),
];

/** The same with two plan problems inside of the chain. */
const FAULTY: Step[] = [
  ...CHAINED,
  [
    "plan.validated",
    {
      iteration: 1,
      problems: [
        { severity: "warning", call: "c3", path: "value", code: "unread_output", message: "nobody reads this" },
        { severity: "warning", call: "c5", path: "value", code: "unread_output", message: "nor this" },
      ],
    },
  ],
];

async function record(request: APIRequestContext, steps: Step[]): Promise<string> {
  const id = `graph-${randomUUID()}`;
  const all: Step[] = [["conversation.created", { title: "A plan" }], ["run.started", {}], ...steps];
  const data = all.map(([type, payload], index) => ({
    ...{ id: `${id}-${index}`, conversation_id: id, type, payload },
    run_id: index > 0 ? `${id}-run` : undefined,
    occurred_at: new Date(START + index * 1_000).toISOString(),
  }));
  const answer = await request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
  return id;
}

/** Opens a studio and waits until it is connected and its plan is laid out. */
async function open(page: Page, id: string, query = ""): Promise<void> {
  await page.goto(`/conversations/${encodeURIComponent(id)}${query}`);
  await expect(page.getByText(/^(Live|Онлайн|You are viewing step|Вы смотрите шаг)/).first()).toBeVisible();
  await expect(page.locator(".pg-node").first()).toBeVisible();
}

/** Exports the plan and returns the file's name and bytes. */
async function exported(page: Page, item: string): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole("button", { name: "Export the plan" }).click();
  const coming = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: item }).click();
  const download = await coming;
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
}

/** The clipboard's text, and its picture in base64. */
function clipboardOf(page: Page): Promise<{ text: string; picture: string }> {
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    const [text, picture] = await Promise.all([item?.getType("text/plain"), item?.getType("image/png")]);
    const bytes = new Uint8Array((await picture?.arrayBuffer()) ?? []);
    return {
      text: (await text?.text()) ?? "",
      picture: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")),
    };
  });
}

/** How many pixels of a picture in base64 are dark: those of its texts and lines. */
function darkIn(page: Page, picture: string): Promise<number> {
  return page.evaluate(async (source) => {
    const image = new Image();
    image.src = `data:image/png;base64,${source}`;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    return data.filter((value, index) => index % 4 === 0 && value < 120).length;
  }, picture);
}

const place = async (of: Locator) =>
  of.evaluate((element) => element.closest<HTMLElement>(".react-flow__node")?.style.transform);

test.describe("C4: the plan graph", () => {
  test("C4: the plan at the step is exported as SVG, PNG and Mermaid, and copied with its link", async ({
    page,
    context,
  }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const id = await record(page.request, REPLANNED);
    await open(page, id, "?iteration=1");

    await page.getByRole("button", { name: "Export the plan" }).click();
    await page.getByRole("menuitem", { name: "Copy picture and link" }).click();
    await expect(page.getByText("Copied: the picture")).toBeAttached();
    const copied = await clipboardOf(page);
    expect(copied.text).toContain(`/conversations/${id}?iteration=1&at=10`);

    const svg = await exported(page, "As SVG");
    expect(svg.name).toBe(`${id}-10.svg`);
    const text = svg.bytes.toString();
    for (const part of [
      "deal.get",
      "policy.check",
      "deal.update",
      "†state.deal.amount",
      "wave 3",
      "url(data:font/woff2",
    ])
      expect(text).toContain(part);
    const drawn = await page.evaluate((source) => {
      // Its fonts: the policy of this page forbids inline styles, not that of a file.
      const plain = source.replace(/<style>.*?<\/style>/s, "");
      const read = new DOMParser().parseFromString(plain, "image/svg+xml");
      return {
        broken: read.querySelector("parsererror") !== null,
        width: Number(read.documentElement.getAttribute("width")),
      };
    }, text);
    expect(drawn.broken).toBe(false);

    const png = await exported(page, "As PNG");
    expect(png.name).toBe(`${id}-10.png`);
    expect(png.bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(png.bytes.readUInt32BE(16)).toBe(drawn.width * 2);
    // The picture has its texts, even the first one, whose fonts are not loaded yet.
    const [first, later] = [await darkIn(page, copied.picture), await darkIn(page, png.bytes.toString("base64"))];
    expect(first / later).toBeCloseTo(1, 1);

    const mermaid = (await exported(page, "As Mermaid")).bytes.toString();
    expect(mermaid).toContain('n1["deal.get · get · Succeeded"]');
    expect(mermaid).toContain('n1 -->|"†state.deal.amount"| n2');
    expect(mermaid).toContain('n2["policy.check · check · Failed"]:::failed');
  });

  test("C4: between iterations, added, changed and removed calls are marked, and unchanged calls keep their positions", async ({
    page,
  }) => {
    const id = await record(page.request, REPLANNED);
    await open(page, id);
    const bar = graph(page).getByRole("region", { name: "Iterations of the plan" });
    await expect(bar).toContainText("iteration 2 2 of 2");
    await expect(bar.getByRole("button", { name: "1 new" })).toBeVisible();
    await expect(bar.getByRole("button", { name: "1 changed" })).toBeVisible();
    const marked = (tool: string) => page.locator(".pg-node").filter({ hasText: tool }).locator(".pg-mark");
    await expect(marked("log.write")).toHaveText("new");
    await expect(marked("policy.check")).toHaveAttribute("title", "Changed: limit");
    await expect(marked("deal.get")).toHaveCount(0);
    await expect(page.locator(".pg-gone")).toContainText("deal.update");
    await expectAccessible(page);

    const before = await place(node(page, "deal.get", ""));
    await bar.getByRole("button", { name: "Previous iteration" }).click();
    await expect(bar).toContainText("iteration 1 1 of 2");
    await expect(page).toHaveURL(/iteration=1/);
    await expect(node(page, "deal.update", "")).toBeVisible();
    await expect(page.locator(".pg-mark")).toHaveCount(0);
    expect(await place(node(page, "deal.get", ""))).toBe(before);

    await bar.getByRole("button", { name: "Next iteration" }).click();
    await bar.getByRole("button", { name: "1 removed" }).click();
    await page.getByRole("menuitem", { name: "deal.update" }).click();
    await expect(page).toHaveURL(/iteration=1/);
    await expect(node(page, "deal.update", "")).toHaveAttribute("aria-pressed", "true");
  });

  test("C4: a selected path highlights its writers and readers and shows its value at each step, and Escape clears it", async ({
    page,
  }) => {
    const id = await record(page.request, REPLANNED);
    await open(page, id, "?iteration=1");
    await graph(page).getByRole("button", { name: "Reads †state.deal.amount" }).first().click();
    await expect(page).toHaveURL(/path=/);
    const lit = (tool: string) => page.locator(".pg-node[data-lit]").filter({ hasText: tool });
    await expect(lit("deal.get").locator(".pg-use")).toHaveText("writes");
    await expect(lit("policy.check").locator(".pg-use")).toHaveText("reads");
    await expect(page.locator(".pg-node[data-lit]")).toHaveCount(2);

    const panel = inspector(page).getByRole("region", { name: "Selected path" });
    await expect(panel).toContainText("240");
    await page.keyboard.press("Escape");
    await expect(page).not.toHaveURL(/path=/);
    await expect(page.locator(".pg-node[data-lit]")).toHaveCount(0);
  });

  test("C4: a long chain is one node with its worst status, and expands with the keyboard", async ({ page }) => {
    const id = await record(page.request, CHAINED);
    await open(page, id);
    const chain = graph(page).getByRole("button", { name: "8 calls in a row, Failed: open" });
    await expect(chain).toBeVisible();
    await expect(graph(page).getByText("45 calls")).toBeVisible();
    await expect(node(page, "step.4", "")).toHaveCount(0);
    await expectAccessible(page);

    await chain.press("Enter");
    // It is laid out again.
    await expect(node(page, "step.1", "")).toBeFocused();
    await expect(node(page, "step.2", "Failed")).toBeVisible();
    await graph(page).getByRole("button", { name: "Collapse the chain" }).click();
    await expect(chain).toBeFocused();
  });

  test("C4: problems of calls inside of a collapsed chain are shown on the chain", async ({ page }) => {
    const id = await record(page.request, FAULTY);
    await open(page, id);
    const chain = page.locator(".pg-node").filter({ hasText: "8 calls in a row" });
    await expect(chain.getByRole("img", { name: "2 problems" })).toBeVisible();
    await expect(chain).toHaveAttribute("data-fault", "warning");
    await expect(page.locator(".pg-node[data-fault]")).toHaveCount(1);
  });

  test("C4: the plan as a table with all calls, edges, statuses and problems, with the keyboard", async ({ page }) => {
    const id = await record(page.request, FAULTY);
    await open(page, id);
    await graph(page).getByRole("button", { name: "As a table" }).press("Enter");
    await expect(page).toHaveURL(/form=table/);
    const table = graph(page).getByRole("table");
    // The heading and the calls inside of the chain count.
    await expect(table).toHaveAttribute("aria-rowcount", "46");
    const row = table.getByRole("row").filter({ has: page.getByRole("button", { name: "step.3 c3" }) });
    await expect(row).toHaveAttribute("aria-rowindex", "5");
    await expect(row.getByRole("cell")).toHaveText([
      "Planned",
      "",
      "†state.c2 from step.2",
      "†state.c3 to step.4",
      "nobody reads this",
    ]);
    await expect(table.getByRole("row").filter({ hasText: "step.2 c2" }).getByRole("cell").first()).toHaveText(
      "Failed",
    );
    await expectAccessible(page);

    await row.getByRole("button", { name: "step.3 c3" }).press("Enter");
    await expect(page).toHaveURL(/call=c3/);
    await row.getByRole("button", { name: "†state.c2" }).press("Enter");
    await expect(inspector(page).getByRole("region", { name: "Selected path" })).toContainText("†state.c2");

    await page.reload();
    await expect(table).toBeVisible({ timeout: 15_000 });
    // The last row is rendered when it is scrolled to.
    await graph(page)
      .getByRole("region", { name: "The plan as a table" })
      .evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await expect(table.getByRole("button", { name: "side.do s34" })).toBeVisible();
    await graph(page).getByRole("button", { name: "As a table" }).press("Enter");
    await expect(page.locator(".pg-node").first()).toBeVisible({ timeout: 15_000 });
  });

  test("C4: nothing moves when statuses change", async ({ page }) => {
    const id = await record(page.request, REPLANNED);
    await open(page, id, "?iteration=1&at=3");
    const all = () =>
      page.locator(".react-flow__node").evaluateAll((nodes) => nodes.map(({ style }) => style.transform));
    await expect(node(page, "policy.check", "Planned")).toBeVisible();
    const before = await all();
    const next = page.getByRole("button", { name: "Next step" });
    for (const step of [4, 5, 6, 7, 8]) {
      await next.click();
      await expect(page).toHaveURL(new RegExp(`at=${step}`));
    }
    await expect(node(page, "policy.check", "Failed")).toBeVisible();
    expect(await all()).toEqual(before);
  });

  test("C3: in a run of very many calls the thread shows the newest ones and those of the step, and more on request", async ({
    page,
  }) => {
    const many = Array.from({ length: 260 }, (_, index) => called(`m${index}`, `many.${index}`, "call.succeeded"));
    const id = await record(page.request, many.flat());
    await open(page, id, "?plan=run");
    const rows = thread(page).locator("[data-call]");
    await expect(rows).toHaveCount(60);
    await expect(rows.last()).toContainText("many.259");
    await thread(page).getByRole("button", { name: "200 earlier calls" }).press("Enter");
    await expect(rows).toHaveCount(260);

    // Two events before the first call, two for each.
    await open(page, id, "?at=42&plan=run");
    await expect(thread(page).locator("[aria-current=step]")).toContainText("many.19");
  });

  test("C4: the graph in Russian", async ({ page, context, baseURL }) => {
    const id = await record(page.request, REPLANNED);
    await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
    await open(page, id);
    const bar = page.getByRole("region", { name: "Итерации плана" });
    await expect(bar).toContainText("итерация 2 2 из 2");
    await expect(bar.getByRole("button", { name: "1 новый" })).toBeVisible();
    await page.getByRole("button", { name: "Экспорт плана" }).click();
    await expect(page.getByRole("menuitem", { name: "В SVG" })).toBeVisible();
  });
});
