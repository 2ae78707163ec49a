"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Icon, type IconName } from "@/components/ui/icon.tsx";
import { Link } from "@/components/ui/link.tsx";
import { versionsAddress } from "@/components/versions/place.ts";
import type { Overview } from "@/lib/api/shapes.ts";
import { isHigher } from "@/lib/rollup/findings.ts";
import { type Happened, listAddress, type Place } from "./place.ts";
import { toolAddress } from "./tool-address.ts";
import { useWords, type Words } from "./use-words.ts";

type Finding = Overview["findings"][number];

const GOOD: ReadonlySet<Finding["kind"]> = new Set(["faster", "fewer_failed"]);

const LOOKS: Record<Finding["kind"], { icon: IconName; ink: string }> = {
  tool_failed: { icon: "failed", ink: "text-st-failed" },
  turns_failed: { icon: "failed", ink: "text-st-failed" },
  escalated: { icon: "escalated", ink: "text-st-escalated" },
  slower: { icon: "clock", ink: "text-st-waiting" },
  faster: { icon: "succeeded", ink: "text-st-succeeded" },
  fewer_failed: { icon: "succeeded", ink: "text-st-succeeded" },
};

/** What is so, in words: the most important change first, then up to three others. */
export function Verdict({ overview, place }: { overview: Overview; place: Place }) {
  const t = useTranslations("overview");
  const words = useWords();
  const [first, ...rest] = overview.findings;
  const worst = first && !GOOD.has(first.kind) ? first : null;
  const others = worst ? rest : overview.findings;
  return (
    <div className="verdict">
      <section aria-label={t("verdict")} className="verdict-main" data-bad={worst !== null}>
        {worst ? (
          <Worst finding={worst} overview={overview} place={place} words={words} />
        ) : (
          <Fine overview={overview} words={words} />
        )}
      </section>
      {others.length > 0 && (
        <section aria-label={t("others")} className="verdict-others">
          <h2>{t(worst ? "after_that" : "others")}</h2>
          <ul>
            {others.map((finding) => (
              <li key={JSON.stringify([finding.kind, finding.agent, finding.version, finding.tool])}>
                <Link href={addressOf(finding, overview, place)}>
                  <Icon name={LOOKS[finding.kind].icon} className={LOOKS[finding.kind].ink} />
                  <span className="min-w-0 truncate">{t.rich(`finding.${headlineOf(finding)}`, namesOf(finding))}</span>
                  <span className="text-fg-3 tabular-nums">{amountOf(finding, words)}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Nothing got worse, or there is nothing to compare. */
function Fine({ overview: { now, earlier }, words }: { overview: Overview; words: Words }) {
  const t = useTranslations("overview");
  const state = now.turns === 0 ? "none" : earlier.turns === 0 ? "alone" : "fine";
  return (
    <>
      {state === "fine" ? (
        <Icon name="succeeded" size={24} className="text-st-succeeded" />
      ) : (
        <Icon name="clock" size={24} className="text-fg-3" />
      )}
      <div>
        <h2>{t(`${state}.title`)}</h2>
        <p>
          {t.rich(`${state}.text`, {
            ...{ b, turns: now.turns, failed: words.share(now.failed_turns, now.turns) },
            before: words.share(earlier.failed_turns, earlier.turns),
          })}
        </p>
      </div>
    </>
  );
}

interface WorstProps {
  finding: Finding;
  overview: Overview;
  place: Place;
  words: Words;
}

function Worst({ finding, overview, place, words }: WorstProps) {
  const t = useTranslations("overview");
  const { kind, tool, since, count, hit, before, conversations } = finding;
  const { icon, ink } = LOOKS[kind];
  const isSlow = kind === "slower";
  const alike = (["model", "channel"] as const).filter((dimension) => isAlike(overview.where[dimension]));
  return (
    <>
      <Icon name={icon} size={24} className={ink} />
      <div className="min-w-0">
        <h2>{t.rich(`finding.${headlineOf(finding)}`, namesOf(finding))}</h2>
        <p>
          {t.rich(isSlow ? "proof.slow" : tool === null ? "proof.turns" : "proof.calls", {
            b,
            now: isSlow ? words.duration(finding.p95) : words.share(hit, count),
            before: isSlow ? words.duration(before.p95) : words.share(before.hit, before.count),
          })}
          {since !== null && <> {t.rich("proof.since", { b, time: words.time(since) })}</>}{" "}
          {!isSlow && t.rich("proof.hit", { b, count: conversations })}
        </p>
        {alike.length > 0 && (
          <p>{t(`alike.${alike.length === 2 ? "both" : alike[0] === "model" ? "model" : "channel"}`)}</p>
        )}
        <div className="verdict-acts">
          <Link href={addressOf(finding, overview, place)} className="act act-first">
            {t("open", { count: conversations })}
          </Link>
          {finding.agent !== null && finding.version !== null && (
            <Link
              href={versionsAddress({ agent: finding.agent, after: finding.version, period: place.period })}
              className="act"
            >
              {t("versions.compare_with", { version: finding.version })}
            </Link>
          )}
          {tool !== null && (
            <Link href={toolAddress(tool, place)} className="act">
              {t("errors_of", { tool })}
            </Link>
          )}
        </div>
      </div>
    </>
  );
}

const b = (text: ReactNode) => <b>{text}</b>;
const mono = (text: ReactNode) => <span className="mono">{text}</span>;

function headlineOf({
  kind,
  version,
}: Finding): Finding["kind"] | `${"tool_failed" | "turns_failed" | "escalated"}_since` {
  if (version === null) return kind;
  switch (kind) {
    case "tool_failed":
    case "turns_failed":
    case "escalated":
      return `${kind}_since`;
    case "slower":
    case "faster":
    case "fewer_failed":
      return kind;
    default:
      return kind satisfies never;
  }
}

function namesOf({ tool, agent, version }: Finding) {
  return { tool: tool ?? "", agent: agent ?? "", version: version ?? "", mono };
}

function amountOf({ kind, p95, hit, before, count }: Finding, words: Words): string {
  if (kind === "slower" || kind === "faster") return words.change(p95, before.p95);
  return words.points([hit, count], [before.hit, before.count]);
}

/** The conversations that a finding is about. */
function addressOf({ kind, agent, version, tool, since }: Finding, { from, to }: Overview, place: Place): string {
  const named = { ...(agent !== null && { agent }), ...(version !== null && { version }), tool };
  return listAddress(place, { happened: HAPPENED[kind], ...named, since: since ?? from, until: to });
}

const HAPPENED: Record<Finding["kind"], Happened["happened"]> = {
  tool_failed: "failed_call",
  turns_failed: "failed_turn",
  fewer_failed: "failed_turn",
  escalated: "escalated",
  slower: "turn",
  faster: "turn",
};

/** Whether no value of a dimension fails more often than the others, beyond chance. */
export function isAlike(shares: Overview["where"]["model"]): boolean {
  const sum = (of: typeof shares, part: "count" | "failed") => of.reduce((all, one) => all + one[part], 0);
  return (
    shares.length > 1 &&
    shares.every((share) => {
      const rest = shares.filter((one) => one !== share);
      return !isHigher([share.failed, share.count], [sum(rest, "failed"), sum(rest, "count")]);
    })
  );
}
