import { expect, it } from "vitest";
import { TakenOver } from "../../../db/errors.ts";
import type { NewEvent } from "../../../db/repositories.ts";
import { createHandler } from "./handler.ts";

it("D10, D11: a picture that arrives during a takeover is recorded, and gets no automatic reply", async () => {
  const kept: NewEvent[][] = [];
  const handle = createHandler({
    token: "1:token",
    turns: { take: async () => ({ message_id: "", run_id: null }) },
    // The takeover comes after this was read.
    conversations: { get: async () => null },
    log: {
      createConversation: async () => ({ created: false, event: null }),
      append: async (events) => {
        if (events.some(({ payload }) => JSON.stringify(payload).includes("assistant")))
          throw new TakenOver("telegram:7", "operator:anna");
        kept.push([...events]);
        return [];
      },
    },
  });
  const person = { id: 7, is_bot: false, first_name: "Anna" };
  const chat = { id: 7, type: "private", first_name: "Anna" };
  const sticker = { file_id: "f", file_unique_id: "u", type: "regular", width: 1, height: 1 };
  await handle({ update_id: 1, message: { message_id: 3, date: 1, chat, from: person, sticker } });
  expect(kept).toMatchObject([[{ id: "telegram:7:3", payload: { role: "user", content: "[sticker]" } }]]);
});
