import { type CaseResult, reasonsOf, type SuiteResult } from "./result.ts";
import type { Share, Verdict } from "./verdict.ts";

/** Rows of the table: passed cases are only counted. */
const MOST_ROWS = 50;
const MARKS: Record<Verdict, string> = { passed: "✓", failed: "✗", flaky: "~" };

/** A result as Markdown, for the summary of a job: a sentence, and the cases that did not pass. */
export function markdownReport(result: SuiteResult, agent: string): string {
  const { name, counts, passed, cases } = result;
  const open = cases.filter(({ verdict }) => verdict !== "passed");
  const rows = open.slice(0, MOST_ROWS).map((one) => {
    const why = reasonsOf(one).map(cell).join("<br>");
    return `| ${MARKS[one.verdict]} ${one.verdict} | ${cell(one.title)} | ${triesOf(one)} | ${cell(firstOf(one))} | ${why} |`;
  });
  return [
    `### ${cell(name)}: ${counts.passed} of ${cases.length} cases passed`,
    "",
    `${cell(agent)}: ${percent(passed)} (95 %: ${range(passed)}), ${counts.failed} failed, ${counts.flaky} flaky. ${answersOf(result)}`,
    ...(rows.length === 0
      ? []
      : ["", "| | case | tries | first differs | why |", "| --- | --- | --- | --- | --- |", ...rows]),
    ...(open.length > MOST_ROWS ? ["", `And ${open.length - MOST_ROWS} more.`] : []),
    "",
  ].join("\n");
}

/** A result in the JUnit format: a case is a test. Flaky cases fail, with how often they passed. */
export function junitReport({ name, cases, counts, duration_ms }: SuiteResult): string {
  const failures = counts.failed + counts.flaky;
  const time = (duration_ms / 1_000).toFixed(3);
  const tests = cases.map((one) => {
    const open = `    <testcase classname="${xml(name)}" name="${xml(one.title)}"`;
    if (one.verdict === "passed") return `${open}/>`;
    const message = one.verdict === "flaky" ? `flaky: ${triesOf(one)} passed` : "failed";
    return `${open}>\n      <failure message="${xml(message)}">${xml(reasonsOf(one).join("\n"))}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites tests="${cases.length}" failures="${failures}" time="${time}">`,
    `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${failures}" time="${time}">`,
    ...tests,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** `2/3` */
export function triesOf({ tries }: Pick<CaseResult, "tries">): string {
  return `${tries.filter(({ outcome }) => outcome === "passed").length}/${tries.length}`;
}

/** The first step that differs, in a few words; "" if none does. */
export function firstOf({ first }: Pick<CaseResult, "first">): string {
  if (first === null) return "";
  return `${first.tool ?? "what it says"} ${first.is}`;
}

/** How many calls were answered by the record, as a sentence. */
export function answersOf({ answers }: Pick<SuiteResult, "answers">): string {
  const calls = answers.reduce((sum, one) => sum + one.calls, 0);
  const recorded = answers.reduce((sum, one) => sum + one.recorded, 0);
  if (calls === 0) return "No tool was called.";
  if (recorded === calls) return `All ${calls} calls had recorded answers. Nothing was sent outside.`;
  const lacking = answers.filter((one) => one.recorded < one.calls).map(({ tool }) => tool);
  return `${calls - recorded} of ${calls} calls had no recorded answer (${lacking.join(", ")}).`;
}

function percent({ share }: Share): string {
  return `${(share * 100).toFixed(1)} %`;
}

function range({ from, to }: Share): string {
  return `${(from * 100).toFixed(1)}–${(to * 100).toFixed(1)}`;
}

/** Text for a cell of a Markdown table. */
function cell(text: string): string {
  return text.replaceAll(/\s+/gu, " ").replaceAll(/[\\|<>`*_[\]#]/g, String.raw`\$&`);
}

const XML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

function xml(text: string): string {
  // XML 1.0 has no other control characters.
  return text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "�")
    .replaceAll(/[&<>"']/g, (one) => XML[one] ?? one);
}
