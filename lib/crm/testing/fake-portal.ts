import type { ServerResponse } from "node:http";
import { readForm } from "../../../demo/crm-portal/php-array.ts";
import { json, loopback } from "../../engine/testing/loopback.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";

/** The secret of the fake portal's webhook. */
export const SECRET = "q8zk3n7w2v5xh1rd";

/** A response of the fake portal: a result, an error, or something invalid. */
export type Reply =
  | { result: Json; total?: number; next?: number }
  | { error: string | number; error_description?: string; status: number; headers?: Record<string, string> }
  | { status: number; text: string; headers?: Record<string, string> }
  | "hang"
  | "break off";

/** A method of the fake portal; `request` counts its calls from 1. */
export type Method = (params: JsonObject, request: number) => Reply;

/** A fake portal with Bitrix24's documented wire format and the given methods. */
export async function fakePortal(methods: Record<string, Method>) {
  const asked: { method: string; params: JsonObject }[] = [];
  const counts = new Map<string, number>();

  function carryOut(method: string, params: JsonObject): Reply {
    const known = methods[method];
    if (!known) return { error: "ERROR_METHOD_NOT_FOUND", error_description: "Method not found!", status: 404 };
    const request = (counts.get(method) ?? 0) + 1;
    counts.set(method, request);
    return known(params, request);
  }

  function batch(params: JsonObject): Reply {
    const { cmd, halt } = params;
    const result: JsonObject = {};
    const result_error: JsonObject = {};
    const result_total: JsonObject = {};
    const result_next: JsonObject = {};
    for (const [name, command] of Object.entries(isJsonObject(cmd) ? cmd : {})) {
      const [method = "", query = ""] = String(command).split("?");
      const reply = carryOut(method, readForm(query));
      if (typeof reply === "string" || "text" in reply) throw new Error("A command answers a result or an error");
      if ("error" in reply) {
        result_error[name] = { error: String(reply.error), error_description: reply.error_description ?? "" };
        if (halt === 1) break;
      } else {
        result[name] = reply.result;
        if (reply.total !== undefined) result_total[name] = reply.total;
        if (reply.next !== undefined) result_next[name] = reply.next;
      }
    }
    return {
      result: {
        result: asPhp(result),
        result_error: asPhp(result_error),
        result_total: asPhp(result_total),
        result_next: asPhp(result_next),
        result_time: [],
      },
    };
  }

  const server = await loopback((response, request) => {
    const method = new RegExp(`^/rest/1/${SECRET}/(.+)\\.json$`).exec(request.path)?.[1] ?? request.path;
    const params: JsonObject = JSON.parse(request.body);
    asked.push({ method, params });
    answer(response, method === "batch" && !methods.batch ? batch(params) : carryOut(method, params));
  });
  return {
    host: server.host,
    webhookUrl: `${server.url}/rest/1/${SECRET}/`,
    /** All requests, in order of arrival. */
    asked,
    received: server.received,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** PHP serializes an empty map as a list. */
function asPhp(map: JsonObject): Json {
  return Object.keys(map).length === 0 ? [] : map;
}

const TIME = { start: 1725020945.541275, finish: 1725020946.179076, duration: 0.6378, operating: 0 };

function answer(response: ServerResponse, reply: Reply): void {
  if (reply === "hang") return;
  if (reply === "break off") response.destroy();
  else if ("text" in reply)
    response.writeHead(reply.status, { "content-type": "text/html", ...reply.headers }).end(reply.text);
  else if ("error" in reply) {
    const { status, headers, ...body } = reply;
    json(response, body, status, headers);
  } else json(response, { ...reply, time: TIME });
}
