import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

describe("E1, E11: messages are recorded", () => {
  it("is also a message.created event with the message's id and its user as actor", async () => {
    const message = {
      id: "m1",
      conversation_id: "talk",
      role: "user",
      content: "Hello",
      name: "Alice",
      user_id: "alice",
      metadata: { lang: "en" },
    };
    const { status, body } = await server.post("/api/messages", { ...message, created_at: "2026-01-01T10:00:00Z" });
    expect(status).toBe(201);
    expect(body.events).toMatchObject([{ id: "m1", conversation_id: "talk", seq: 1, duplicate: false }]);

    const events = (await server.get("/api/conversations/talk/events")).body.items;
    expect(events).toMatchObject([
      {
        id: "m1",
        type: "message.created",
        actor: "user:alice",
        occurred_at: "2026-01-01T10:00:00.000Z",
        payload: { message_id: "m1", role: "user", content: "Hello", name: "Alice", metadata: { lang: "en" } },
      },
    ]);
    const messages = (await server.get("/api/conversations/talk/messages")).body.items;
    expect(messages).toEqual([
      {
        id: "m1",
        seq: 1,
        role: "user",
        content: "Hello",
        name: "Alice",
        run_id: null,
        created_at: "2026-01-01T10:00:00.000Z",
        metadata: { lang: "en" },
      },
    ]);
  });

  it("is idempotent by the message's id", async () => {
    const message = { id: "once", conversation_id: "again", role: "user", content: "Hi" };
    await server.post("/api/messages", message);
    const { body } = await server.post("/api/messages", [message]);
    expect(body.events).toMatchObject([{ id: "once", seq: 1, duplicate: true }]);
    expect((await server.get("/api/conversations/again")).body.message_count).toBe(1);
  });

  it("accepts a batch, all or nothing", async () => {
    const good = { conversation_id: "batch", role: "user", content: "Hi" };
    const { status, body } = await server.post("/api/messages", [
      good,
      { ...good, role: "manager" },
      { ...good, content: 5 },
    ]);
    expect(status).toBe(400);
    expect(body.errors.map((error: { path: string }) => error.path)).toEqual(["/1/role", "/2/content"]);
    expect((await server.get("/api/conversations/batch")).status).toBe(404);
  });

  it("keeps long texts completely", async () => {
    const content = "длинный текст ".repeat(50_000);
    expect((await server.post("/api/messages", { conversation_id: "long", role: "assistant", content })).status).toBe(
      201,
    );
    const [event] = (await server.get("/api/conversations/long/events")).body.items;
    expect(event.payload.content).toBe(content);
  });
});
