import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";

/** Records a conversation with a run, a call, a state value and an approval. Returns its id. */
export async function recordTalk(page: Page, title: string, said: string): Promise<string> {
  const id = `talk-${randomUUID()}`;
  const run_id = `${id}-run`;
  const base = { conversation_id: id, run_id, agent_id: "crm" };
  const action = { method: "crm.deal.update", params: { amount: 90 } };
  const confirmation_id = `${id}-confirmation`;
  const at = (second: number) => `2026-03-01T10:00:${String(second).padStart(2, "0")}Z`;
  const events = [
    { conversation_id: id, type: "conversation.created", payload: { title, user_id: "anna", agent_id: "crm" } },
    {
      conversation_id: id,
      type: "message.created",
      actor: "user:anna",
      payload: { message_id: `${id}-1`, role: "user", content: said },
    },
    { ...base, type: "run.started", payload: {} },
    { ...base, type: "call.started", payload: { call_id: "get", tool: "crm.deal.get" } },
    { ...base, type: "call.succeeded", payload: { call_id: "get", tool: "crm.deal.get", output: { ok: true } } },
    {
      ...base,
      type: "state.written",
      payload: { path: "†state.deal.note", value: "Красные тюльпаны", call_id: "get" },
    },
    {
      ...base,
      type: "confirmation.requested",
      payload: { confirmation_id, key: "k", action, description: "Change the amount to 90" },
    },
    {
      ...base,
      type: "confirmation.approved",
      actor: "operator:boris",
      payload: { confirmation_id, reason: "agreed by phone" },
    },
    {
      ...base,
      type: "message.created",
      actor: "agent:crm",
      payload: { message_id: `${id}-2`, role: "assistant", content: "It is **done**. Goodbye!" },
    },
    { ...base, type: "run.finished", payload: { output: "done" } },
  ];
  const data = events.map((event, second) => ({ ...event, occurred_at: at(second) }));
  const answer = await page.request.post("/api/events", { data });
  expect(answer.status(), await answer.text()).toBe(201);
  return id;
}

/** Opens an address of a studio and waits until it is connected. */
export async function openStudio(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.getByRole("tab").first()).toBeVisible();
  await expect(page.getByText(/^(Loading the timeline…|Загрузка ленты…)$/)).toHaveCount(0);
}
