import { diffValues } from "../session/json/diff.ts";
import { isSameJson, type Json, type JsonObject } from "../session/json/json.ts";
import type { CallResult, CallStep } from "./case.ts";
import { stubOf } from "./stub.ts";

/** What answers a call that was not recorded. `stop`: the try ends there. */
export type UnrecordedRule = "nearest" | "stub" | "stop";

/** A call that asks for an answer. */
export interface AskedCall {
  tool: string;
  params: JsonObject;
  /** The schema of its result; undefined if its tool declares none. */
  output: Json | undefined;
}

/** What answers a call, and where that is from. */
export type Answer =
  /** The recorded call with the same tool and parameters. `nearest`: with the same tool, and so many values that differ. */
  | { from: "recorded" | "nearest"; call: CallStep; result: CallResult; differs: number }
  | { from: "stub"; result: CallResult }
  | { from: "stop"; reason: string };

/**
 * The recorded answers of a case. A call is answered by the first recorded call with the same tool and parameters that has
 * answered none yet; the order of keys does not count. Any other call is answered by the rule.
 */
export class RecordedAnswers {
  readonly #calls: readonly CallStep[];
  readonly #rule: UnrecordedRule;
  readonly #used = new Set<CallStep>();

  constructor(calls: readonly CallStep[], rule: UnrecordedRule) {
    this.#calls = calls.filter(({ result }) => result !== null);
    this.#rule = rule;
  }

  answer(asked: AskedCall): Answer {
    const left = this.#calls.filter((call) => call.tool === asked.tool && !this.#used.has(call));
    const same = left.find(({ params }) => isSameJson(params, asked.params));
    if (same) return this.#use("recorded", same, 0);
    switch (this.#rule) {
      case "nearest":
        return this.#nearest(asked) ?? stopped(asked);
      case "stub":
        return asked.output === undefined
          ? stopped(asked)
          : { from: "stub", result: { ok: true, output: stubOf(asked.output) } };
      case "stop":
        return stopped(asked);
      default:
        return this.#rule satisfies never;
    }
  }

  /** Of the tool's calls the one with the fewest other values; of several, one that has answered none, then the first. */
  #nearest({ tool, params }: AskedCall): Answer | null {
    const ranked = this.#calls
      .filter((call) => call.tool === tool)
      .map((call) => ({ call, differs: diffValues(call.params, params).length, used: this.#used.has(call) ? 1 : 0 }))
      .sort((one, other) => one.differs - other.differs || one.used - other.used);
    const [best] = ranked;
    return best ? this.#use("nearest", best.call, best.differs) : null;
  }

  #use(from: "recorded" | "nearest", call: CallStep, differs: number): Answer {
    this.#used.add(call);
    return { from, call, result: call.result ?? { ok: true, output: null }, differs };
  }
}

function stopped({ tool }: AskedCall): Answer {
  return { from: "stop", reason: `No answer of ${tool} is recorded for these parameters` };
}
