import { readFileSync } from "node:fs";
import { z } from "zod";
import { EdgeInference, type InferredEdge } from "../lib/session/find/inferred-edges.ts";
import { openingOf, SampledFrequencies } from "../lib/session/find/value-frequencies.ts";
import { type EdgeScore, explained, type LabelledSession, labelledSessions, scoreOf, sumOf } from "./labelled-edges.ts";
import { printTable } from "./table.ts";

const figures = z.strictObject({
  ...{ found: z.int(), right: z.int(), labelled: z.int(), recalled: z.int() },
  ...{ labelledCalls: z.int(), recalledCalls: z.int() },
});
/** What the rule found that asked for the shapes of words, by domain. */
const before = z
  .record(z.string(), figures)
  .parse(JSON.parse(readFileSync(new URL("data/edges/before.json", import.meta.url), "utf8")));

/** Prints how many inferred edges of the labelled sessions are right, and how many are found, before and after. */
export function benchEdges(explain: boolean): void {
  const sessions = labelledSessions();
  const results = sessions.map((session) => {
    const edges = edgesOf(session);
    const learned = edgesOf(session, sessions);
    if (explain) for (const line of explained(session, edges)) console.log(line);
    return { session, score: scoreOf(session, edges), learned: scoreOf(session, learned) };
  });
  const row = (name: string, of: typeof results) => {
    const domains = new Set(of.map(({ session }) => session.domain));
    const old = sumOf([...domains].flatMap((domain) => before[domain] ?? []));
    const now = sumOf(of.map(({ score }) => score));
    return [name, String(now.labelled), ...shares(old), ...shares(now), ...shares(sumOf(of.map((one) => one.learned)))];
  };
  const domains = Map.groupBy(results, ({ session: { domain, unseen } }) => `${domain}${unseen ? " (unseen)" : ""}`);
  printTable(
    "Inferred edges: right ones of those found, and found ones of those labelled, all and from call to call",
    ["domain", "labels", ...heads("before"), ...heads("now"), ...heads("other sessions known")],
    [
      ...[...domains].map(([name, of]) => row(name, of)),
      row(
        "seen",
        results.filter(({ session }) => !session.unseen),
      ),
      row(
        "unseen",
        results.filter(({ session }) => session.unseen),
      ),
    ],
  );
}

/** The inferred edges of a labelled session, alone or among others. */
export function edgesOf(session: LabelledSession, others: readonly LabelledSession[] = []): InferredEdge[] {
  const frequencies = new SampledFrequencies(openingOf(session.events));
  for (const other of others) if (other !== session) frequencies.add(other.events);
  const inference = new EdgeInference(null, [], frequencies);
  for (const event of session.events) inference.add(event);
  return inference.edges;
}

function heads(of: string): string[] {
  return [`${of}: right`, "found", "calls"];
}

function shares({ right, found, recalled, labelled, recalledCalls, labelledCalls }: EdgeScore): string[] {
  return [percent(right, found), percent(recalled, labelled), percent(recalledCalls, labelledCalls)];
}

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(0)} %`;
}

if (import.meta.main) benchEdges(process.argv.includes("--explain"));
