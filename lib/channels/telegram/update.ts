import type { Update } from "grammy/types";
import { z } from "zod";
import type { Json } from "../../session/json/json.ts";

const id = z.int();

/** The fields of an update that are used. */
const messageUpdate = z.looseObject({
  update_id: id,
  message: z.looseObject({
    message_id: id,
    date: z.int(),
    chat: z.looseObject({
      id,
      type: z.enum(["private", "group", "supergroup", "channel"]),
      title: z.string().optional(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
      username: z.string().optional(),
    }),
    from: z
      .looseObject({ id, is_bot: z.boolean(), first_name: z.string(), language_code: z.string().optional() })
      .optional(),
    text: z.string().optional(),
    caption: z.string().optional(),
  }),
});

/** Whether a value is an update with a new message of a chat: not an edited message, a channel post or another kind. */
export function isMessageUpdate(value: Json): value is Json & Update & z.infer<typeof messageUpdate> {
  return messageUpdate.safeParse(value).success;
}
