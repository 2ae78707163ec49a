import type { JsonObject } from "../session/json/json.ts";
import type { CallStep } from "./case.ts";
import type { Difference } from "./difference.ts";
import type { Checked } from "./expectations.ts";
import type { Answer } from "./recorded-answers.ts";

/** A call of a try, and what answered it. */
export interface AnsweredCall {
  tool: string;
  params: JsonObject;
  from: Answer["from"];
  /** The recorded call; null if none answered. */
  recorded: Pick<CallStep, "seq" | "call_id"> | null;
  /** How many of its parameters differ from that call's. */
  differs: number;
}

/** What came of a try. */
export interface TryResult {
  conversation_id: string;
  /** `stopped`: a call was not recorded and the rule is to stop there, or the try broke off. */
  outcome: "passed" | "failed" | "stopped";
  /** Why it was stopped, or its run failed; null otherwise. */
  reason: string | null;
  checks: Checked[];
  answers: AnsweredCall[];
  difference: Difference;
}
