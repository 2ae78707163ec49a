import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createWaiting } from "./api/setup/waiting.ts";

/** A request to the Bot API. */
export interface BotRequest {
  token: string;
  method: string;
  // Bodies are looked at field by field, and a field that is missing fails the test that reads it.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  payload: any;
  /** When it came, epoch ms. */
  at: number;
}

/** What the Bot API does otherwise than it should: an error, or anything that can happen to a connection. */
export type Trouble =
  | { code: number; description: string; parameters?: object }
  | ((response: ServerResponse) => unknown);

/** Telegram's servers, as far as a bot sees them. */
export interface BotApi {
  /** `http://127.0.0.1:41234`, as TELEGRAM_API_ROOT takes it. */
  readonly root: string;
  /** Everything that was asked, in order. */
  readonly requests: BotRequest[];
  /** Meets the next requests that fit with trouble, one each. */
  trouble(fits: (request: BotRequest) => boolean, ...troubles: Trouble[]): void;
  /** What a chat shows, once it shows so many messages. */
  shown(chat: number | string, count: number): Promise<BotRequest["payload"][]>;
  /** Resolves with the first request that fits, taken or not. */
  asked(fits: (request: BotRequest) => boolean): Promise<BotRequest>;
}

/** Telegram's servers until they are closed. */
export interface RunningBotApi extends BotApi {
  /** Whatever troubles are left are called off. */
  calm(): void;
  close(): void;
}

/** Starts a loopback server with the Bot API's wire format. */
export async function startBotApi(): Promise<RunningBotApi> {
  const requests: BotRequest[] = [];
  const taken: BotRequest[] = [];
  const { waitFor, look } = createWaiting();
  let troubles: { fits: (request: BotRequest) => boolean; trouble: Trouble }[] = [];

  const server = createServer(async (incoming, response) => {
    const [, token = "", method = ""] = /^\/bot([^/]+)\/(\w+)$/.exec(incoming.url ?? "") ?? [];
    const request = { token, method, payload: JSON.parse((await text(incoming)) || "{}"), at: Date.now() };
    requests.push(request);
    const met = troubles.find(({ fits }) => fits(request));
    troubles = troubles.filter((one) => one !== met);
    if (!met) {
      const refusal = refusalOf(request);
      if (!refusal) taken.push(request);
      reply(response, refusal ?? { ok: true, result: resultOf(request, taken.length) });
    } else if (typeof met.trouble === "function") met.trouble(response);
    else reply(response, errorOf(met.trouble));
    look();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;

  return {
    root: `http://127.0.0.1:${port}`,
    requests,
    trouble: (fits, ...given) => void troubles.push(...given.map((trouble) => ({ fits, trouble }))),
    shown: (chat, count) =>
      waitFor(() => {
        const messages = taken.filter(({ method, payload }) => method === "sendMessage" && payload.chat_id === chat);
        return messages.length < count ? undefined : messages.map(({ payload }) => payload);
      }),
    asked: (fits) => waitFor(() => requests.find(fits)),
    calm() {
      troubles = [];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Messages to one chat. */
export const to = (chat: number) => (request: BotRequest) =>
  request.method === "sendMessage" && request.payload.chat_id === chat;

/** What the real one refuses, of what a test would not notice otherwise. */
function refusalOf({ method, payload }: BotRequest) {
  if (method !== "sendMessage") return null;
  const refuse = (description: string) => errorOf({ code: 400, description: `Bad Request: ${description}` });
  if (payload.text.trim() === "") return refuse("message text is empty");
  if (payload.text.length > 4096) return refuse("message is too long");
  return null;
}

function resultOf({ method, payload }: BotRequest, number: number) {
  if (method !== "sendMessage") return true;
  return { message_id: number, date: 0, chat: { id: payload.chat_id, type: "private" }, text: payload.text };
}

function errorOf({ code, ...error }: Exclude<Trouble, (response: ServerResponse) => unknown>) {
  return { ok: false, error_code: code, ...error };
}

function reply(response: ServerResponse, body: { ok: boolean; error_code?: number; result?: unknown }): void {
  response.writeHead(body.error_code ?? 200, { "content-type": "application/json" }).end(JSON.stringify(body));
}
