import { appendFileSync } from "node:fs";
import { EdgeInference } from "../lib/session/find/inferred-edges.ts";
import { openingOf, SampledFrequencies } from "../lib/session/find/value-frequencies.ts";
import { explained, labelledSessions, scoreOf, sumOf, type EdgeScore } from "./labelled-edges.ts";
import { printTable } from "./table.ts";

const all = labelledSessions();
const corpus = process.argv.includes("--corpus");
const results = all.map((session) => {
  const f = new SampledFrequencies(openingOf(session.events));
  for (const other of all) if (other !== session) f.add(other.events);
  const inference = new EdgeInference(null, [], corpus ? f : null);
  for (const event of session.events) inference.add(event);
  return { session, edges: inference.edges, score: scoreOf(session, inference.edges) };
});
const explain = process.argv[2] === "--explain";
const pct = (a: number, b: number) => (b === 0 ? "–" : `${((100 * a) / b).toFixed(1)} %`);
const row = (name: string, s: EdgeScore) => [name, String(s.labelled), String(s.found), pct(s.right, s.found), pct(s.recalled, s.labelled), pct(s.recalledCalls, s.labelledCalls)];
const rows: string[][] = [];
for (const [domain, parts] of Map.groupBy(results, ({ session }) => session.domain)) {
  if (parts[0]?.session.unseen && !process.argv.includes("--unseen")) continue;
  rows.push(row(domain, sumOf(parts.map((p) => p.score))));
  if (explain) for (const p of parts) console.log(explained(p.session, p.edges).join("\n"));
}
rows.push(row("seen", sumOf(results.filter((r) => !r.session.unseen).map((r) => r.score))));
if (process.argv.includes("--unseen")) rows.push(row("unseen", sumOf(results.filter((r) => r.session.unseen).map((r) => r.score))));
printTable("edges", ["domain", "labels", "found", "precision", "recall", "calls"], rows);
