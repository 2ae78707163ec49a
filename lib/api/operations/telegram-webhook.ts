import { z } from "zod";
import { answerJson } from "../answers/answer.ts";
import { refusal } from "../answers/answers.ts";
import { type Body, operation } from "../operation.ts";
import { Problem } from "../problem.ts";
import type { ApiRequest } from "../request/api-request.ts";
import { MAX_BODY_BYTES, readJson } from "../request/body.ts";
import { parse } from "../sentences.ts";

const SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token";

const update = z.looseObject({ update_id: z.int().describe("A repeated id is accepted once.") });

/** Read only after the secret was verified. */
const updateBody: Body<ApiRequest> = {
  content: { "application/json": update },
  read: async (request) => request,
};

/** Receives an update from Telegram (D10): stored durably before the response, handled after it. */
export const postTelegramUpdate = operation({
  name: "postTelegramUpdate",
  permission: "public",
  method: "POST",
  path: "/api/telegram/webhook",
  summary: "Receives a Telegram update: it is on disk when the request is answered, and handled afterwards.",
  body: updateBody,
  headers: { [SECRET_HEADER]: "The webhook secret." },
  answers: {
    200: { description: "Accepted.", schema: z.object({ ok: z.literal(true) }) },
    401: refusal("The secret is missing or wrong."),
    404: refusal("No bot is configured."),
  },
  async run({ headers, body }, { telegram }) {
    if (!telegram) {
      throw new Problem("not_found", "No Telegram bot is configured; set TELEGRAM_BOT_TOKEN and restart.");
    }
    if (!telegram.isGenuine(headers.get(SECRET_HEADER))) {
      throw new Problem(
        "unauthorized",
        `The header ${SECRET_HEADER} is missing or wrong; register the webhook again with npm run telegram -- set-webhook URL.`,
      );
    }
    const value = await readJson(body, "as_written", MAX_BODY_BYTES);
    parse(update, value);
    await telegram.take(value);
    return answerJson({ ok: true });
  },
});
