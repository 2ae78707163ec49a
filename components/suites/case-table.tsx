"use client";

import { useTranslations } from "next-intl";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { SuiteCase, SuiteRunReport } from "@/lib/api/shapes.ts";
import { caseAddress } from "./addresses.ts";
import { Interval } from "./interval.tsx";
import { useSuiteWords } from "./use-suite-words.ts";

type Reported = SuiteRunReport["report"]["cases"][number];

const GROUPS = ["failed", "flaky", "passed", "waits"] as const;
type Group = (typeof GROUPS)[number];

const ICONS: Record<Group, { icon: IconName; ink: string }> = {
  failed: { icon: "failed", ink: "text-st-failed" },
  flaky: { icon: "retry", ink: "text-st-waiting" },
  passed: { icon: "succeeded", ink: "text-st-succeeded" },
  waits: { icon: "running", ink: "text-st-running" },
};

interface CaseTableProps {
  name: string;
  told: SuiteRunReport;
  cases: readonly SuiteCase[];
}

/** The cases of a run: failed, flaky, passed, each with its tries, its interval and where it first differs. */
export function CaseTable({ name, told: { run, report, against }, cases }: CaseTableProps) {
  const t = useTranslations("suites");
  const before = new Map(against?.report.cases.map((one) => [one.id, one]));
  const isMoney = report.cost !== null && report.cost.length > 0;
  const unrun = cases.filter(({ id }) => !run.cases.includes(id));
  return (
    <section className="suite-scroll" tabIndex={0} aria-label={t("table.label")}>
      <table className="suite-table suite-cases">
        <thead>
          <tr>
            <th scope="col">{t("table.case")}</th>
            <th scope="col">{t("page.tries", { count: run.tries })}</th>
            <th scope="col" className="suite-cell-share">
              {t("table.share")}
            </th>
            <th scope="col">{t("table.first")}</th>
            <th scope="col" className="num">
              {t(isMoney ? "table.cost" : "table.tokens")}
            </th>
            <th scope="col" className="num suite-wide">
              {t("table.change")}
            </th>
            <th scope="col" className="num">
              {t("table.time")}
            </th>
            <th scope="col" className="num">
              {t("table.answers")}
            </th>
            <th scope="col" className="suite-wide">
              {t("table.recorded")}
            </th>
          </tr>
        </thead>
        {GROUPS.map((group) => {
          const own = report.cases.filter(({ verdict }) => (verdict ?? "waits") === group);
          if (own.length === 0) return null;
          const known = own.filter(({ id }) => before.has(id));
          return (
            <tbody key={group}>
              <tr className="suite-group">
                <th scope="rowgroup" colSpan={9}>
                  <Icon name={ICONS[group].icon} size={14} className={ICONS[group].ink} />
                  {t(`group.${group}`)} <span className="font-normal text-fg-3 tabular-nums">{own.length}</span>
                  {known.length > 0 && (
                    <span className="suite-group-note">
                      {t("table.before", {
                        count: known.filter(({ id }) => before.get(id)?.verdict === "passed").length,
                      })}
                    </span>
                  )}
                </th>
              </tr>
              {own.map((one) => (
                <Row key={one.id} name={name} run={run} one={one} before={before.get(one.id) ?? null} />
              ))}
            </tbody>
          );
        })}
        {unrun.length > 0 && (
          <tbody>
            <tr className="suite-group">
              <th scope="rowgroup" colSpan={9}>
                <Icon name="planned" size={14} className="text-fg-3" />
                {t("group.unrun")} <span className="font-normal text-fg-3 tabular-nums">{unrun.length}</span>
              </th>
            </tr>
            {unrun.map(({ id, title, tags }) => (
              <tr key={id}>
                <th scope="row" colSpan={9} className="text-fg-3">
                  {title} <Tags tags={tags} />
                </th>
              </tr>
            ))}
          </tbody>
        )}
      </table>
    </section>
  );
}

interface RowProps {
  name: string;
  run: SuiteRunReport["run"];
  one: Reported;
  before: Reported | null;
}

function Row({ name, run, one, before }: RowProps) {
  const t = useTranslations("suites.table");
  const words = useSuiteWords();
  const { id, title, tags, verdict, passed, tries, first, calls, recorded, taken } = one;
  const group = verdict ?? "waits";
  const now = amountOf(one);
  const was = before && amountOf(before);
  const isDearer = now !== null && was !== null && was > 0 && now / was > DEARER;
  return (
    <tr data-verdict={group}>
      <th scope="row">
        <Link href={caseAddress(name, id, run.id)} aria-label={t("open", { title })}>
          {title}
        </Link>{" "}
        <Tags tags={tags} />
      </th>
      <td>
        <Squares tries={tries} wanted={run.tries} />
      </td>
      <td className="suite-cell-share">
        {tries.length > 0 && (
          <>
            <Interval
              share={passed}
              look={verdict ?? "before"}
              before={before && before.tries.length > 0 ? before.passed.share : null}
            />
            <span className="sr-only">{`${words.percent(passed.share, 0)} (${words.range(passed)})`}</span>
          </>
        )}
      </td>
      <td className={first ? "" : "text-fg-3"}>
        {first ? (
          <>
            <span className="tabular-nums">{t("step", { number: first.number })}</span>{" "}
            <span className="suite-first text-fg-3">{t(`what.${first.is}`, { tool: first.tool ?? t("words") })}</span>
          </>
        ) : (
          t("none")
        )}
      </td>
      <td className="num">{words.price(taken)}</td>
      <td className={`num suite-wide ${isDearer ? "font-medium text-st-waiting" : "text-fg-2"}`}>
        {words.change(now, was)}
      </td>
      <td className="num">{words.duration(taken.duration)}</td>
      <td className={`num ${recorded < calls ? "font-semibold" : "text-fg-2"}`}>
        {calls === 0 ? words.none : `${recorded}/${calls}`}
      </td>
      <td className="suite-wide">
        <AnsweredBar calls={calls} recorded={recorded} />
      </td>
    </tr>
  );
}

/** Above this, the higher cost is said in colour. */
const DEARER = 1.2;

/** Money where it is known in one currency, else tokens. */
function amountOf({ taken: { cost, tokens } }: Reported): number | null {
  return cost?.length === 1 ? (cost[0]?.amount ?? null) : tokens;
}

function Tags({ tags }: { tags: readonly string[] }) {
  return tags.length === 0 ? null : <span className="text-fg-3">{tags.join(", ")}</span>;
}

/** A square for each try: a tick or a cross, never colour alone. */
function Squares({ tries, wanted }: { tries: Reported["tries"]; wanted: number }) {
  const t = useTranslations("suites.table.try");
  return (
    <span className="squares">
      {Array.from({ length: wanted }, (_, index) => index + 1).map((one) => {
        const outcome = tries.find(({ number }) => number === one)?.outcome ?? "missing";
        return (
          <span key={one} className="square" data-outcome={outcome} title={t(outcome, { number: one })}>
            {outcome !== "missing" && (
              <Icon
                name={outcome === "passed" ? "check" : outcome === "failed" ? "close" : "pause"}
                size={12}
                label={t(outcome, { number: one })}
              />
            )}
          </span>
        );
      })}
    </span>
  );
}

/** How many calls the record answered; the rest is hatched. */
export function AnsweredBar({ calls, recorded }: { calls: number; recorded: number }) {
  if (calls === 0) return null;
  return (
    <span className="answered" aria-hidden>
      <span style={{ width: `${(recorded / calls) * 100}%` }} />
    </span>
  );
}
