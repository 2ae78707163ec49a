import type { Json } from "../session/json/json.ts";

/** A data message of an agent's context, in its one form (P14a). `instance` "" is global (P25). */
export interface DataMessage {
  kind: string;
  instance: string;
  /** Undefined for a blueprint: a schema before there is data. */
  data?: Json;
  /** Undefined where the sender gave none. */
  schema?: Json;
  description?: string;
}

/** A message of words, for the model. */
export interface TextMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** An agent's context in its one form: one data message for each kind and instance, merged (P14), and the words in order. */
export interface Context {
  data: DataMessage[];
  text: TextMessage[];
}
