import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const START = Date.parse("2026-11-20T09:00:00Z");

interface Part {
  start: number;
  end: number;
  placeholder: string;
  origin: string;
  messages?: { id: string; start: number; end: number }[];
}

/** A prompt of plain text and parts `[origin, placeholder, text]`; a history's text is its messages by id. */
function render(...pieces: (string | [origin: string, placeholder: string, text: string | Record<string, string>])[]) {
  let prompt = "";
  const parts: Part[] = [];
  for (const piece of pieces) {
    if (typeof piece === "string") {
      prompt += piece;
      continue;
    }
    const [origin, placeholder, text] = piece;
    const part: Part = { start: prompt.length, end: 0, placeholder, origin };
    if (typeof text === "string") prompt += text;
    else
      part.messages = Object.entries(text).map(([id, line]) => {
        const start = prompt.length;
        prompt += line;
        const message = { id, start, end: prompt.length };
        prompt += "\n";
        return message;
      });
    parts.push({ ...part, end: prompt.length });
  }
  return { prompt, parts };
}

type Step = [type: string, payload: object, run?: string];

const RULES = Array.from({ length: 12 }, (_, index) => `Rule ${index + 1}: be kind.`).join("\n");
const LIMITS = { max_tokens: 500, max_chars: null, max_messages: 200 };

/** The events of a session with two requests of an agent, a call without a model, and prompts of other agents. */
function steps(id: string): Step[] {
  const budget = { system: 212, state: 96, history: 300, tools: 640, left: 3_700 };
  const after = { messages: 1, characters: 1_890, tokens: 473 };
  const before = { messages: 3, characters: 6_210, tokens: 1_553 };
  const cut = { before, after, left_out: [`${id}-1`], shortened: [`${id}-7`] };
  const first = render(
    `${RULES}\nNow: `,
    ["time", "currentTime", "2026-11-20T09:00:02Z"],
    "\nUser: ",
    ["user", "userId", "anna"],
    ", household ",
    ["missing", "householdId", ""],
    ".\n",
    ["history", "messageHistory", { [`${id}-1`]: "[09:00] User: Where is order 7?" }],
  );
  const second = render(
    `${RULES}\nNow: `,
    ["time", "currentTime", "2026-11-20T09:00:08Z"],
    "\nUser: ",
    ["user", "userId", "anna"],
    ", household ",
    ["missing", "householdId", ""],
    ".\n",
    ["history", "messageHistory", { [`${id}-7`]: "[09:00] User: And order […]" }],
  );
  return [
    ["message.created", { role: "user", content: "Where is order 7?" }],
    ["run.started", {}, "asked"],
    ["prompt.rendered", { ...first, iteration: 1, missing: ["householdId"], budget }, "asked"],
    ["model.requested", { provider: "scripted", model: "m" }, "asked"],
    ["message.created", { role: "assistant", content: "On its way." }, "asked"],
    ["run.finished", {}, "asked"],
    ["message.created", { role: "user", content: "And order 8, and all the others of this month?" }],
    ["run.started", {}, "again"],
    [
      "prompt.rendered",
      {
        ...second,
        iteration: 1,
        missing: ["householdId"],
        budget: { ...budget, history: 473, left: 27 },
        history: { source: "prompt", total: 3, shown: 1, truncated: true, ...cut },
      },
      "again",
    ],
    ["history.truncated", { iteration: 1, ...cut, limits: LIMITS }, "again"],
    ["run.finished", {}, "again"],
    ["run.started", {}, "modelless"],
    ["run.finished", {}, "modelless"],
    ["run.started", {}, "outside"],
    ["prompt.rendered", { prompt: "You are a clerk of another house.\n<b>Be brief.</b>" }, "outside"],
    ["run.finished", {}, "outside"],
  ];
}

/** Sends events; a message's id is that of its step. */
async function post(request: APIRequestContext, id: string, sent: Step[], first = 1): Promise<void> {
  const data = sent.map(([type, payload, run], index) => ({
    id: `${id}-event-${first + index}`,
    conversation_id: id,
    type,
    ...(run && { run_id: `${id}-${run}`, agent_id: "clerk" }),
    occurred_at: new Date(START + (first + index) * 1_000).toISOString(),
    payload: { ...payload, ...(type === "message.created" && { message_id: `${id}-${first + index}` }) },
  }));
  const answer = await request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
}

async function record(request: APIRequestContext, stepsOf = steps): Promise<string> {
  const id = `prompt-${randomUUID()}`;
  await post(request, id, stepsOf(id));
  return id;
}

const open = (page: Page, id: string, query: string) => page.goto(`/conversations/${id}?tab=prompt&${query}`);
const panel = (page: Page) => page.getByRole("tabpanel", { name: "Prompt" });
const text = (page: Page) => panel(page).getByRole("region", { name: "Rendered prompt" });
const place = (page: Page) => panel(page).getByRole("heading", { level: 3 });
const button = (page: Page, name: string) => panel(page).getByRole("button", { name, exact: true });

test("C6, H6: a prompt shows the origin of each part, its tokens, and what was missing and truncated", async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, id, "at=11");
  await expect(place(page)).toHaveText("Request 1 of 1");
  await expect(panel(page)).toContainText("run 2 · clerk · iteration 1");
  await expect(panel(page).getByRole("region", { name: "Estimated request tokens" })).toContainText(
    "history473, 27 left",
  );
  await expect(panel(page).getByRole("region", { name: "Prompt warnings" })).toHaveText("No data for {{householdId}}.");

  // With the keyboard: the legend leads to a part, arrow keys to the next, and each shows its origin.
  await button(page, "user").press("Enter");
  await expect(text(page).getByRole("button", { name: "anna" })).toBeFocused();
  await expect(text(page).getByRole("status")).toContainText("{{userId}}");
  await page.keyboard.press("End");
  await expect(text(page).getByRole("status")).toContainText("{{messageHistory}}");
  await expect(text(page).getByRole("status")).toContainText(`${id}-7`);

  await panel(page).getByText("History truncated").click();
  await expect(panel(page).getByRole("row", { name: "Tokens" })).toHaveText("Tokens1,553473500");
  const leftOut = panel(page).getByRole("region", { name: "1 message left out" });
  await expect(leftOut).toContainText("Where is order 7?");
  await expect(panel(page).getByRole("region", { name: "1 message shortened" })).toContainText("And order 8");
  await leftOut.getByRole("button", { name: "step 1" }).click();
  await expect(panel(page)).toContainText("The first request: step 3");
});

test("H6: previous and next requests, with the changes between their prompts", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id, "at=4");
  await expect(button(page, "step 3")).toBeVisible();
  await panel(page).getByText("Changes", { exact: true }).click();
  await expect(panel(page)).toContainText("This is the first request");
  await button(page, "Next request").click();
  await expect(page).toHaveURL(/at=9/);
  const changes = panel(page).getByRole("region", { name: "Changes" });
  await expect(changes).toContainText("Since the prompt of step 3");
  await expect(changes).toContainText("removed Now: 2026-11-20T09:00:02Z");
  await expect(changes).toContainText("added Now: 2026-11-20T09:00:08Z");
  await expect(changes).not.toContainText("Rule 3");
  await changes.getByRole("button", { name: "9 lines unchanged" }).click();
  await expect(changes).toContainText("Rule 3");
});

test("C6: a prompt of an external agent is shown as text, and a run without a model says so", async ({
  page,
  request,
}) => {
  const id = await record(request);
  await open(page, id, `run=${id}-modelless`);
  await expect(panel(page)).toContainText("No model request in this run");
  await button(page, "Show requests of all runs").click();
  await expect(text(page)).toHaveText("You are a clerk of another house.\n<b>Be brief.</b>");
  await expect(page.getByText("Live", { exact: true })).toBeVisible();
  await post(request, id, [["prompt.rendered", { prompt: "You are a clerk who was asked again." }, "outside"]], 17);
  await expect(text(page)).toHaveText("You are a clerk who was asked again.");
  await expect(place(page)).toHaveText("Request 2 of 2");
  await page.keyboard.press("Home");
  await button(page, "The first request: step 3").click();
  await expect(place(page)).toHaveText("Request 1 of 1");
});

test("C6: a prompt of 1 MB shows its beginning at once, and all of it on request", async ({ page, request }) => {
  const state = ["state", "state", "a long line of a large prompt\n".repeat(35_000)] satisfies [string, string, string];
  const id = await record(request, () => [
    ["run.started", {}, "large"],
    ["prompt.rendered", render(state, "The end."), "large"],
  ]);
  await open(page, id, "at=2");
  const blocks = text(page).locator(".prompt-block");
  await expect(blocks.first()).toContainText("a long line of a large prompt");
  await expect(blocks.last()).not.toContainText("The end.");
  await button(page, "Show all 1,050,008 characters").click();
  await expect(blocks.last()).toContainText("The end.");
});

test("C6: axe reports nothing on a prompt, its truncation and its changes", async ({ page, request }) => {
  const id = await record(request);
  await open(page, id, "at=11");
  await panel(page).getByText("History truncated").click();
  await button(page, "time").press("Enter");
  await expectAccessible(page);
  await panel(page).getByText("Changes", { exact: true }).click();
  await expect(panel(page)).toContainText("Since the prompt of");
  await expectAccessible(page);
});
