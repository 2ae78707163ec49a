import type { ApiProblem } from "@/components/client/api.ts";
import { LIMITS, type Limit, type Place } from "./place.ts";

/** The body of `POST /api/prompts/render`. What is left out is taken from the conversation, or the server's default. */
export interface RenderRequest {
  template: string;
  messages?: [];
  conversation_id?: string;
  at?: number;
  context: { locale?: string; timezone?: string; now?: string; tools?: PromptTool[] };
  limits: Partial<Record<Limit, number>>;
}

/** A tool in a prompt. */
export interface PromptTool {
  name: string;
  description: string;
}

/** An agent's settings; the page's inputs override them. */
export interface AgentSettings extends Partial<Pick<RenderRequest, "limits">> {
  locale?: string;
  /** For users of conversations without a language. */
  timezone?: string;
  tools?: PromptTool[];
  /** The history is sent separately from the prompt. */
  isBeside?: boolean;
}

/** The request for a template: of a conversation, else with an empty history. */
export function renderRequest(template: string, place: Place, agent: AgentSettings): RenderRequest {
  const { conversation, at, now } = place;
  const limits = Object.fromEntries(LIMITS.flatMap((name) => (place[name] === null ? [] : [[name, place[name]]])));
  const locale = place.locale ?? agent.locale;
  // The conversation's data about its user overrides the agent's.
  const timezone = place.timezone ?? (conversation === null ? agent.timezone : undefined);
  return {
    template,
    ...(conversation === null ? { messages: [] } : { conversation_id: conversation, ...(at !== null && { at }) }),
    context: {
      ...(locale !== undefined && { locale }),
      ...(timezone !== undefined && { timezone }),
      ...(now !== null && { now }),
      ...(agent.tools && { tools: agent.tools }),
    },
    limits: { ...agent.limits, ...limits },
  };
}

/** Settings with their own errors. */
export const FIELDS = ["conversation", "at", "timezone", "now", ...LIMITS] as const;
export type Field = (typeof FIELDS)[number];

/** Why there is no prompt; `field` is null for an error without a field on the page. */
export interface Fault {
  field: Field | null;
  message: string;
}

/** The server's errors with their fields. */
export function faultsOf(error: ApiProblem): Fault[] {
  if (error.code === "not_found") return [{ field: "conversation", message: error.message }];
  if (error.errors.length === 0) return [{ field: null, message: error.message }];
  return error.errors.map(({ path, message }) => ({ field: fieldOf(path), message }));
}

/** `/limits/max_tokens` is `max_tokens`. */
function fieldOf(pointer: string): Field | null {
  const [, first, second] = pointer.split("/");
  const name = first === "limits" || first === "context" ? second : first;
  if (name === "conversation_id") return "conversation";
  return FIELDS.find((field) => field === name) ?? null;
}
