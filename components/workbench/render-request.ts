import type { ApiProblem } from "@/components/client/api.ts";
import { LIMITS, type Limit, type Place } from "./place.ts";

/** What is asked of `POST /api/prompts/render`. What is left out is as the conversation, or the server, has it. */
export interface RenderRequest {
  template: string;
  messages?: [];
  conversation_id?: string;
  at?: number;
  context: { locale?: string; timezone?: string; now?: string; tools?: PromptTool[] };
  limits: Partial<Record<Limit, number>>;
}

/** A tool as a prompt tells of it. */
export interface PromptTool {
  name: string;
  description: string;
}

/** What the agent whose prompt it is brings along; all of it gives way to what the place says. */
export interface AgentSettings extends Partial<Pick<RenderRequest, "limits">> {
  locale?: string;
  /** Of users whose conversation names none. */
  timezone?: string;
  tools?: PromptTool[];
  /** The history goes to the model beside the prompt. */
  isBeside?: boolean;
}

/** The request for a template at a place: of a conversation, else with an empty history. */
export function renderRequest(template: string, place: Place, agent: AgentSettings): RenderRequest {
  const { conversation, at, now } = place;
  const limits = Object.fromEntries(LIMITS.flatMap((name) => (place[name] === null ? [] : [[name, place[name]]])));
  const locale = place.locale ?? agent.locale;
  // What a conversation knows of its user holds before the agent's.
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

/** The settings that can be wrong each by itself. */
export const FIELDS = ["conversation", "at", "timezone", "now", ...LIMITS] as const;
export type Field = (typeof FIELDS)[number];

/** Why there is no prompt; `field` is what it lies in, null where it is none of the page's. */
export interface Fault {
  field: Field | null;
  message: string;
}

/** What the server said no to: each bad place with the field that it stands in. */
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
