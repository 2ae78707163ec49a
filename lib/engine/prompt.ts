import type { TextMessage } from "../plan/message.ts";
import type { HistoryLimits, HistoryMessage, PromptContext, RenderedPrompt } from "../prompt/prompt.ts";
import type { Payload } from "../session/events/catalogue.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";
import type { ModelRequest } from "./model.ts";

/** How what was said before reaches the model of a turn (H4). */
export interface HistorySettings extends HistoryLimits {
  /** `prompt`: where the instructions say `{{messageHistory}}`. `provider`: as items of the input. Never both. */
  source: "prompt" | "provider";
  /** The language that it is written in. */
  locale: Locale;
}

/** What an agent is told in a turn, before it is filled in. */
export interface PromptTemplate {
  instructions: string;
  /** What was said, oldest first, the message that is answered last; of a chain, what is still to be told. */
  messages: readonly HistoryMessage[];
  history: HistorySettings;
  context: PromptContext;
}

/** What an agent is told in a turn, filled in. */
export interface FilledPrompt {
  /** Its instructions. */
  rendered: RenderedPrompt;
  /** What was said, as it goes with the input: of a chain, what the provider does not have (D7). */
  said: TextMessage[];
  /** What stands before the newest of it (D8); "" for nothing. */
  time: string;
  /** Kinds of data that the instructions have parts of: the input goes without them (H5). */
  told: readonly string[];
  history: HistorySettings;
}

/** Which request of which run. */
export interface RequestPlace {
  conversation_id: string;
  run_id: string;
  agent_id: string | null;
  iteration: number;
  /** Of a request for a latent tool's result: whose. */
  call_id?: string;
  instance?: string;
}

/** What the log tells of a request's prompt (H6). */
export interface PromptEvents {
  rendered: Payload<"prompt.rendered"> & JsonObject;
  /** Null where nothing was left out or shortened. */
  truncated: JsonObject | null;
  /** Names of placeholders without data, and of unknown ones. */
  missing: string[];
}

/** The prompts as the engine uses them: every request to a model goes through here. */
export interface Prompts {
  /** Fills in what an agent is told (H1–H5). */
  fill(template: PromptTemplate): FilledPrompt;
  /**
   * What the log is to tell of a request that is about to be made; the operator is told here (H6). `filled` is null for
   * a request that no agent makes.
   */
  tell(request: ModelRequest, filled: FilledPrompt | null, place: RequestPlace): PromptEvents;
}
