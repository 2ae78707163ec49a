import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { getView } from "../api/operations/sessions/get-view.ts";
import type { View } from "../session/session.ts";
import { answerTool, room } from "./answer.ts";
import type { ApiInvoker } from "./api-invoker.ts";
import { conversationId, READS } from "./fields.ts";

const PARTS = ["messages", "runs", "plan", "calls", "state", "memory", "confirmations", "warnings"] as const;
type Part = (typeof PARTS)[number];

/** Without memory, a document of its own that is rarely asked for. */
const USUAL: Part[] = PARTS.filter((part) => part !== "memory");

/** How many of the newest messages, runs and calls, and of a plan's calls are included; the rest is counted. */
const MESSAGES = 20;
const RUNS = 20;
const CALLS = 60;

/** Adds the tool that returns a session at a step. */
export function addViewTool(server: McpServer, api: ApiInvoker): void {
  server.registerTool(
    "get_view",
    {
      title: "View a session at a step",
      description:
        "Tells a session as it stood after a step: status and stage, the newest messages, runs, the plan with its edges, calls with their status, parameters and outputs, the state, and what waits for approval. Nothing later than the step is in it. `{$ref, bytes}` stands for a large value: get_events tells it whole, at the step that brought it.",
      inputSchema: z.strictObject({
        conversation_id: conversationId,
        at: z.int().min(0).optional().describe("The seq of a step; without it the last. 0 is before the first."),
        parts: z
          .array(z.enum(PARTS))
          .min(1)
          .default(USUAL)
          .describe("What to tell; by default all but memory. Fewer parts have more room each."),
        max_characters: room,
      }),
      annotations: READS,
    },
    ({ conversation_id: id, at, parts, max_characters }) =>
      answerTool(api, async () => {
        const view = await api.ask<View>(getView, { params: { id }, query: { at } });
        const { status, stage, last } = view;
        const { title, subject, user_id, agent_id } = view.summary;
        const url = `${api.addressOf(id)}${at === undefined ? "" : `?at=${at}`}`;
        const facts = { conversation_id: id, url, at: view.at, last, status, stage, title, subject, user_id, agent_id };
        return {
          facts: Object.assign(facts, ...PARTS.filter((part) => parts.includes(part)).map((part) => tell(part, view))),
          room: max_characters,
          more: "Ask for fewer `parts` or a larger `max_characters`; get_events tells each step whole, get_conversation the earlier messages.",
        };
      }),
  );
}

/** A part of the view without derived fields. */
function tell(part: Part, view: View): object {
  switch (part) {
    case "messages": {
      const messages = view.messages.slice(-MESSAGES);
      return { messages, messages_before: view.messages_before + view.messages.length - messages.length };
    }
    case "runs": {
      const runs = view.runs.slice(-RUNS).map(({ state: _, writes: __, ...run }) => run);
      return { runs, runs_before: view.runs_before + view.runs.length - runs.length };
    }
    case "plan": {
      if (!view.plan) return { plan: null };
      const { outputs: _, calls, edges, ...plan } = view.plan;
      const left = { calls_after: Math.max(0, calls.length - CALLS), edges_after: Math.max(0, edges.length - CALLS) };
      return { plan: { ...plan, calls: calls.slice(0, CALLS), edges: edges.slice(0, CALLS), ...left } };
    }
    case "calls": {
      const calls = view.calls.slice(-CALLS);
      return { calls, calls_before: view.calls_before + view.calls.length - calls.length };
    }
    case "state":
      return { state: view.state };
    case "memory":
      return { memory: view.memory };
    case "confirmations":
      return { confirmations: view.confirmations.filter(({ status }) => status === "requested") };
    case "warnings":
      return { warnings: view.warnings.slice(-MESSAGES), alerts: view.alerts };
    default:
      return part satisfies never;
  }
}
