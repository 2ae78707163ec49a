import type { useTranslations } from "next-intl";

/** A reason that the engine gives in fixed words, by its name in `studio.reason`, with what is in it. */
export interface KnownReason {
  name: Parameters<ReturnType<typeof useTranslations<"studio.reason">>>[0];
  values: Record<string, string | number>;
}

type Form = [RegExp, KnownReason["name"], (keyof typeof READ)[]];

/** What stands in a sentence at a group's place. */
const READ = {
  path: String,
  call: String,
  calls: String,
  /** Without the kind of actor: `operator:anna`. */
  who: (text: string) => text.replace(/^[a-z]+:/, ""),
  count: Number,
};

/** The engine's sentences (P12, P19b, P21, P24), as its events have them. */
const FORMS: Form[] = [
  [/^It needs (†.+), which (.+) did not bring$/u, "lost", ["path", "call"]],
  [/^It needs (†.+), which nothing writes$/u, "unwritten", ["path"]],
  [/^It needs (†.+), a branch that was not taken$/u, "untakenFor", ["path"]],
  [/^branch not taken$/u, "untaken", []],
  [/^Already done$/u, "alreadyDone", []],
  [/^(†.+) (?:is|are) already there$/u, "alreadyThere", ["path"]],
  [/^(†.+) was already there when the result arrived$/u, "alreadyThere", ["path"]],
  [/^Denied by (.+)$/u, "deniedBy", ["who"]],
  [/^Cancelled by (.+)$/u, "cancelledBy", ["who"]],
  [/^The budget of (\d+) calls is spent$/u, "budgetCalls", ["count"]],
  [/^The budget of (\d+) tokens is spent$/u, "budgetTokens", ["count"]],
  [/^The budget of (\d+) ms is spent$/u, "budgetTime", ["count"]],
  [/^The server stopped before its plan was complete$/u, "planCut", []],
  [/^Its delegate's run was cancelled$/u, "delegateCancelled", []],
  [/^(\d+) calls did not succeed: (.+)$/su, "callsLost", ["count", "calls"]],
];

/** Recognizes a reason that can be told in the reader's language; null for one in somebody's own words. */
export function knownReason(reason: string): KnownReason | null {
  for (const [form, name, groups] of FORMS) {
    const match = form.exec(reason);
    if (match)
      return { name, values: Object.fromEntries(groups.map((group, i) => [group, READ[group](match[i + 1] ?? "")])) };
  }
  return null;
}
