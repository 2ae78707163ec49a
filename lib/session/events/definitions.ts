import { CALL_EVENTS } from "./families/call.ts";
import { CONFIRMATION_EVENTS } from "./families/confirmation.ts";
import { CONVERSATION_EVENTS } from "./families/conversation.ts";
import type { Family } from "./families/family.ts";
import { MESSAGE_EVENTS } from "./families/message.ts";
import { MODEL_EVENTS } from "./families/model.ts";
import { PLAN_EVENTS } from "./families/plan.ts";
import { DELEGATE_EVENTS, RUN_EVENTS, STAGE_EVENTS } from "./families/run.ts";
import { STATE_EVENTS } from "./families/state.ts";
import type { EventType } from "./kinds.ts";

const ALL = {
  ...CONVERSATION_EVENTS,
  ...MESSAGE_EVENTS,
  ...RUN_EVENTS,
  ...STAGE_EVENTS,
  ...DELEGATE_EVENTS,
  ...MODEL_EVENTS,
  ...PLAN_EVENTS,
  ...CALL_EVENTS,
  ...STATE_EVENTS,
  ...CONFIRMATION_EVENTS,
};

/** The definition of each event type: the one place from which all code that treats types differently derives it. */
export const DEFINITIONS: Family<EventType> = ALL;

/** The types that the engine's run state depends on. */
export type SteeringType = {
  [T in EventType]: (typeof ALL)[T]["steers"] extends true ? T : never;
}[EventType];
