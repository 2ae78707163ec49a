import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { graph, thread } from "../setup/live-run.ts";
import { test } from "../setup/test.ts";

const place = { call_id: "export", tool: "orders.export", iteration: 1 };

async function tell(request: APIRequestContext, id: string, events: [type: string, payload: object][]) {
  const data = events.map(([type, payload]) => ({ conversation_id: id, run_id: `${id}-run`, type, payload }));
  expect((await request.post("/api/events", { data })).status()).toBe(201);
}

const progressed = (progress: number, message: string): [string, object] => [
  "call.progressed",
  { ...place, progress, message },
];

const bars = (page: Page) => page.getByRole("progressbar", { name: /orders\.export/, includeHidden: true });
const timeline = (page: Page) => page.getByRole("region", { name: /^(Timeline|Лента времени)$/ });

test("progress of a long call is a bar in the graph, the thread and the timeline: live, reloaded and replayed", async ({
  page,
  request,
}) => {
  const id = `export-${randomUUID()}`;
  await tell(request, id, [
    ["message.created", { message_id: `${id}-1`, role: "user", content: "All orders, please" }],
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: [{ _tool: place.tool, _id: place.call_id }] }],
    ["call.started", place],
    progressed(0.25, "Reading orders"),
  ]);
  await page.goto(`/conversations/${id}`);
  const shown = async (text: string) => {
    await expect(graph(page)).toContainText(text);
    await expect(thread(page)).toContainText(text);
    await expect(timeline(page)).toContainText(text);
  };
  await shown("25%");
  await expect(thread(page)).toContainText("Reading orders");
  await expect(bars(page)).toHaveCount(3);
  await expectAccessible(page);

  await tell(request, id, [progressed(0.5, "Writing the file")]);
  await shown("50%");
  await expect(thread(page)).toContainText("Writing the file");
  await page.reload();
  await shown("50%");

  await page.goto(`/conversations/${id}?at=5`);
  await shown("25%");
  await page.goto(`/conversations/${id}?at=4`);
  await expect(graph(page)).toContainText(place.tool);
  await expect(bars(page)).toHaveCount(0);

  await page.goto(`/conversations/${id}`);
  await shown("50%");
  await tell(request, id, [["call.succeeded", { ...place, output: "done" }]]);
  await expect(bars(page)).toHaveCount(0);
});
