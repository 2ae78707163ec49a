import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";

/**
 * A model for the programs of the Connect page: it calls the first tool that it is given, then answers. It speaks OpenAI's chat
 * completions (streamed or not) and Responses, and Gemini's API, on the loopback.
 */
export async function startOneCallModel(): Promise<{ url: string; close(): void }> {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    serve(request, response, requests).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The model listens on no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const ARGUMENTS = { order_id: "A-1042" };
const ANSWER = "Order A-1042 is lost.";

async function serve(request: IncomingMessage, response: ServerResponse, n: number): Promise<void> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const body: unknown = JSON.parse(text);
  const url = request.url ?? "";
  if (url.startsWith("/v1/chat/completions")) return complete(chatRequest.parse(body), response, n);
  if (url.startsWith("/v1/responses")) return send(response, responded(responsesRequest.parse(body), n));
  if (url.includes(":generateContent")) return send(response, generated(geminiRequest.parse(body)));
  throw new Error(`There is no ${url} here`);
}

function send(response: ServerResponse, answer: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
}

const chatRequest = z.looseObject({
  model: z.string(),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).default([]),
});

function complete(
  { model, stream, messages, tools }: z.infer<typeof chatRequest>,
  response: ServerResponse,
  n: number,
) {
  const tool = messages.at(-1)?.role === "tool" ? undefined : tools[0]?.function.name;
  const call = { id: `call_${n}`, type: "function", function: { name: tool, arguments: JSON.stringify(ARGUMENTS) } };
  const message = { role: "assistant", ...(tool ? { content: null, tool_calls: [call] } : { content: ANSWER }) };
  const finish_reason = tool ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 120, completion_tokens: 18, total_tokens: 138 };
  const head = { id: `chatcmpl-${n}`, created: 1, model };
  if (!stream)
    return send(response, {
      ...head,
      object: "chat.completion",
      choices: [{ index: 0, finish_reason, message, logprobs: null }],
      usage,
    });
  const delta = tool ? { ...message, tool_calls: [{ index: 0, ...call }] } : message;
  const chunks = [
    { choices: [{ index: 0, delta, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const chunk of chunks)
    response.write(`data: ${JSON.stringify({ ...head, object: "chat.completion.chunk", ...chunk })}\n\n`);
  response.end("data: [DONE]\n\n");
}

const responsesRequest = z.looseObject({
  model: z.string(),
  input: z.array(z.looseObject({ type: z.string().optional() })),
  tools: z.array(z.looseObject({ name: z.string() })).default([]),
});

function responded({ model, input, tools }: z.infer<typeof responsesRequest>, n: number): object {
  const tool = input.some(({ type }) => type === "function_call_output") ? undefined : tools[0]?.name;
  const call = {
    ...{ type: "function_call", id: `fc_${n}`, status: "completed", call_id: `call_${n}`, name: tool },
    arguments: JSON.stringify(ARGUMENTS),
  };
  const content = [{ type: "output_text", text: ANSWER, annotations: [] }];
  const message = { type: "message", id: `msg_${n}`, status: "completed", role: "assistant", content };
  return {
    ...{ id: `resp_${n}`, object: "response", created_at: 1, status: "completed", error: null, model, tools },
    ...{ incomplete_details: null, instructions: null, parallel_tool_calls: true, tool_choice: "auto" },
    output: [tool ? call : message],
    usage: {
      ...{ input_tokens: 120, output_tokens: 18, total_tokens: 138 },
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

const geminiRequest = z.looseObject({
  contents: z.array(z.looseObject({ parts: z.array(z.looseObject({ functionResponse: z.unknown() })) })),
  tools: z
    .array(z.looseObject({ functionDeclarations: z.array(z.looseObject({ name: z.string() })).default([]) }))
    .default([]),
});

function generated({ contents, tools }: z.infer<typeof geminiRequest>): object {
  const isAnswered = contents.at(-1)?.parts.some(({ functionResponse }) => functionResponse !== undefined) ?? false;
  const name = tools[0]?.functionDeclarations[0]?.name;
  const part = isAnswered || !name ? { text: ANSWER } : { functionCall: { name, args: ARGUMENTS } };
  return {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 18, totalTokenCount: 138 },
    modelVersion: "gemini-2.5-flash",
  };
}
