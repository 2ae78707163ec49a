import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

/** A model for agents under test: it answers by the chat's rules, on the loopback, and nothing leaves the machine. */
export interface StandIn {
  /** With `/v1`, for clients of OpenAI. */
  baseUrl: string;
  close(): Promise<void>;
}

/** What each answer is said to have cost. */
export const USAGE = { input: 120, output: 18 };

/** Starts a model that speaks OpenAI's chat completions and Responses, not streamed. */
export async function startStandIn(): Promise<StandIn> {
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: String(error), type: "invalid_request_error" } }));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The model listens on no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body: unknown = JSON.parse(await textOf(request));
  response.writeHead(200, { "content-type": "application/json" });
  switch (request.url) {
    case "/v1/chat/completions":
      response.end(JSON.stringify(completion(chatRequest.parse(body))));
      return;
    case "/v1/responses":
      response.end(JSON.stringify(answer(responsesRequest.parse(body))));
      return;
    default:
      throw new Error(`There is no ${request.url} here`);
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return text;
}

/** What has been said and done in a chat, in either API. */
type Turn = { user: string } | { tool: string; result: string };

/** What is said or done next. */
type Next = { text: string } | { tool: string; input: Record<string, string | number> };

/**
 * An order that the user names is looked up, then its total is paid back: the second call uses what the first brought. An
 * agent that can only hand over does that first.
 */
function next(turns: readonly Turn[], tools: readonly string[]): Next {
  const start = turns.findLastIndex((turn) => "user" in turn);
  const asked = turns[start];
  const order_id = asked && "user" in asked ? /[A-Z]-\d{4}/.exec(asked.user)?.[0] : undefined;
  if (order_id === undefined) return { text: "Which order is it?" };
  const results = new Map(turns.slice(start + 1).flatMap((turn) => ("tool" in turn ? [[turn.tool, turn.result]] : [])));
  const found = results.get("find_order");
  const refunded = results.get("refund");
  if (refunded !== undefined) {
    return {
      text: /"?refund_id/.test(refunded) ? `Order ${order_id} is refunded.` : `Order ${order_id} cannot be refunded.`,
    };
  }
  if (found !== undefined) {
    const order = z.object({ order_id: z.string(), total: z.number() }).parse(JSON.parse(found));
    return { tool: "refund", input: { order_id: order.order_id, amount: order.total } };
  }
  const handover = tools.find((tool) => tool.startsWith("transfer_to_"));
  return handover === undefined ? { tool: "find_order", input: { order_id } } : { tool: handover, input: {} };
}

const content = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);

function plain(value: z.infer<typeof content> | null | undefined): string {
  if (value === null || value === undefined || typeof value === "string") return value ?? "";
  return value.map(({ text = "" }) => text).join("\n");
}

const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: content.nullish(),
      tool_call_id: z.string().optional(),
      tool_calls: z.array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string() }) })).optional(),
    }),
  ),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});

function completion({ model, messages, tools }: z.infer<typeof chatRequest>): object {
  const names = new Map(
    messages.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => [call.id, call.function.name])),
  );
  const turns = messages.flatMap(({ role, content, tool_call_id }): Turn[] => {
    if (role === "user") return [{ user: plain(content) }];
    return role === "tool" ? [{ tool: names.get(tool_call_id ?? "") ?? "", result: plain(content) }] : [];
  });
  const does = next(
    turns,
    tools.map((tool) => tool.function.name),
  );
  const called = "tool" in does;
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1_000),
    model: served(model),
    choices: [
      {
        index: 0,
        finish_reason: called ? "tool_calls" : "stop",
        message: called
          ? {
              role: "assistant",
              content: null,
              tool_calls: [
                {
                  id: callId(),
                  type: "function",
                  function: { name: does.tool, arguments: JSON.stringify(does.input) },
                },
              ],
            }
          : { role: "assistant", content: does.text },
      },
    ],
    usage: { prompt_tokens: USAGE.input, completion_tokens: USAGE.output, total_tokens: USAGE.input + USAGE.output },
  };
}

const responsesRequest = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.union([
    z.string(),
    z.array(
      z.looseObject({
        type: z.string().optional(),
        role: z.string().optional(),
        content: content.nullish(),
        call_id: z.string().optional(),
        name: z.string().optional(),
        output: content.nullish(),
      }),
    ),
  ]),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).default([]),
});

function answer({ model, instructions = null, input, tools }: z.infer<typeof responsesRequest>): object {
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  const names = new Map(
    items.flatMap((item) => (item.type === "function_call" ? [[item.call_id, item.name ?? ""]] : [])),
  );
  const turns = items.flatMap((item): Turn[] => {
    if (item.role === "user") return [{ user: plain(item.content) }];
    if (item.type !== "function_call_output") return [];
    return [{ tool: names.get(item.call_id) ?? "", result: plain(item.output) }];
  });
  const does = next(
    turns,
    tools.flatMap(({ name }) => name ?? []),
  );
  const created_at = Math.floor(Date.now() / 1_000);
  return {
    id: `resp_${randomUUID()}`,
    object: "response",
    created_at,
    status: "completed",
    model: served(model),
    instructions,
    error: null,
    incomplete_details: null,
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools,
    output: [
      "tool" in does
        ? {
            type: "function_call",
            id: `fc_${randomUUID()}`,
            call_id: callId(),
            name: does.tool,
            arguments: JSON.stringify(does.input),
            status: "completed",
          }
        : {
            type: "message",
            id: `msg_${randomUUID()}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: does.text, annotations: [] }],
          },
    ],
    usage: {
      input_tokens: USAGE.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USAGE.input + USAGE.output,
    },
  };
}

/** Providers answer by the version of the model that was asked for. */
function served(model: string): string {
  return `${model}-2026-01-01`;
}

function callId(): string {
  return `call_${randomUUID().replaceAll("-", "").slice(0, 24)}`;
}
