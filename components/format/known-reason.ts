import type { useTranslations } from "next-intl";
import { actorName } from "@/components/agents/actor-name.ts";
import type { Call } from "@/lib/session/session.ts";

/** A reason in the engine's fixed words: its key in `studio.reason` and its values. */
export interface KnownReason {
  name: Parameters<ReturnType<typeof useTranslations<"studio.reason">>>[0];
  values: Record<string, string | number>;
}

type Form = [RegExp, KnownReason["name"], (keyof typeof READ)[]];

/** The values of a pattern's groups. */
const READ = {
  path: String,
  call: String,
  calls: String,
  /** Without the kind of actor: `operator:anna`. */
  who: (text: string) => actorName(text),
  count: (text: string) => (text === "One" ? 1 : Number(text)),
  key: String,
  tool: String,
  user: String,
  fault: String,
  what: String,
};

/**
 * The engine's reasons (`lib/engine/step/reasons.ts`) and those of `lib/plan/schedule/progress.ts`, as recorded in
 * events.
 */
// Earlier wordings are in recorded events, so they are recognized too.
const FORMS: Form[] = [
  [/^It needs (†.+), which (.+) did not (?:produce|bring)$/u, "lost", ["path", "call"]],
  [/^It needs (†.+), which (?:no call|nothing) writes$/u, "unwritten", ["path"]],
  [/^It needs (†.+), which (.+) (?:has only planned|only plans to bring)$/u, "plannedFor", ["path", "call"]],
  [/^It needs (†.+), a branch that was not taken$/u, "untakenFor", ["path"]],
  [/^branch not taken$/u, "untaken", []],
  [/^Already done$/u, "alreadyDone", []],
  [/^(†.+) (?:is|are) already there$/u, "alreadyThere", ["path"]],
  [/^(†.+) was already there when the result arrived$/u, "alreadyThere", ["path"]],
  [
    /^Planned only: (?:canary mode does not carry out|in canary nothing is carried out that changes)/u,
    "plannedOnly",
    [],
  ],
  [/^Simulated: it is not carried out in this fork/u, "simulated", []],
  [/^This server cannot carry out (.+), and no result was recorded/u, "notRecorded", ["tool"]],
  [/^Nothing here can carry (.+) out, and nothing was recorded/u, "notRecorded", ["tool"]],
  [/^The same action (?:is already waiting for approval|already awaits a decision) \((.+)\)$/su, "sameAwaits", ["key"]],
  [/^(?:Replaced by another request|Another action was asked for in its place): (.+)$/su, "replaced", ["what"]],
  [/^Denied by (.+)$/u, "deniedBy", ["who"]],
  [/^(.+) denied it before in this run$/u, "deniedBefore", ["who"]],
  [/^Cancelled by (.+)$/u, "cancelledBy", ["who"]],
  [/^Forked$/u, "forked", []],
  [/^Taken over by (.+)$/u, "takenOverBy", ["who"]],
  [/^Its delegate's run was cancelled$/u, "delegateCancelled", []],
  [/^The budget of (\d+) calls is spent$/u, "budgetCalls", ["count"]],
  [/^The budget of (\d+) tokens is spent$/u, "budgetTokens", ["count"]],
  [/^The budget of (\d+) ms is spent$/u, "budgetTime", ["count"]],
  [/^The run has used up its budget of (\d+) calls; resume it/u, "usedUpCalls", ["count"]],
  [/^The run has used up its budget of (\d+) tokens; resume it/u, "usedUpTokens", ["count"]],
  [/^The run has used up its budget of (\d+) ms; resume it/u, "usedUpTime", ["count"]],
  [/^(One|\d+) calls? did not succeed: (.+)$/su, "callsLost", ["count", "calls"]],
  [/^The server stopped before its plan was complete$/u, "planCut", []],
  [
    /^The memory of (.+) cannot be read \((.+)\)(?: and was left unchanged|; it is kept as it is)/su,
    "memoryUnreadable",
    ["user", "fault"],
  ],
  [/^The model gave no plan$/u, "noPlan", []],
  [/^The (?:final plan was different|plan came out otherwise)$/u, "otherPlan", []],
  [
    /^(One|\d+) calls? (?:(?:is|are) waiting for approval|waits? for a person's decision)$/u,
    "awaitsDecisions",
    ["count"],
  ],
  [/^(One|\d+) calls? (?:is|are) waiting for the program that started the run$/u, "awaitsCaller", ["count"]],
  [/^The program that started it has answered$/u, "answered", []],
  [/^It (?:is no longer waiting for approval|no longer waits for a person)$/u, "decided", []],
  [/^(?:Dequeued|Its turn has come)$/u, "turnCame", []],
  [/^Resumed by (.+)$/u, "resumedBy", ["who"]],
  [/^The server was started again$/u, "serverStarted", []],
  [/^(?:A manager was called|escalated)$/u, "escalated", []],
];

/** Whether a call was skipped because its input is only planned. */
export function isForPlanned({ status, reason }: Pick<Call, "status" | "reason">): boolean {
  return status === "skipped" && reason !== null && knownReason(reason)?.name === "plannedFor";
}

/** Recognizes a reason of the engine; null for free text. */
export function knownReason(reason: string): KnownReason | null {
  for (const [form, name, groups] of FORMS) {
    const match = form.exec(reason);
    if (match)
      return { name, values: Object.fromEntries(groups.map((group, i) => [group, READ[group](match[i + 1] ?? "")])) };
  }
  return null;
}
