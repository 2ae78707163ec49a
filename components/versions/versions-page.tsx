"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ShortcutFooter } from "@/components/keys/shortcut-footer.tsx";
import { FilterMenu } from "@/components/list/filters/filter-menu.tsx";
import { useFacets } from "@/components/list/filters/use-facets.ts";
import { PERIODS, type Period } from "@/components/overview/place.ts";
import { useWords } from "@/components/overview/use-words.ts";
import { EmptyState } from "@/components/ui/empty-state.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { ComparedVersions } from "@/lib/api/shapes.ts";
import { Differing } from "./differing.tsx";
import { Measures } from "./measures.tsx";
import { type VersionsPlace, versionsAddress } from "./place.ts";
import { type Compared, qualityOf, type Row, useRows } from "./use-rows.ts";

interface VersionsProps {
  /** Null: no agent is chosen. */
  answer: ComparedVersions | null;
  place: VersionsPlace;
}

/** Two versions of an agent: what differs beyond chance, each figure with its interval, and the conversations that differ most. */
export function Versions({ answer, place }: VersionsProps) {
  const t = useTranslations("overview");
  const compared = answer?.compared ?? null;
  return (
    <>
      <main id="main" tabIndex={-1} className="overview">
        <Bar answer={answer} place={place} />
        {answer === null || compared === null ? (
          <NotCompared answer={answer} place={place} />
        ) : (
          <Comparison answer={answer} compared={compared} agent={place.agent} />
        )}
      </main>
      <ShortcutFooter page="plain">
        {compared &&
          t("versions.counted", { before: compared.before.conversations, after: compared.after.conversations })}
      </ShortcutFooter>
    </>
  );
}

/** Why nothing is compared: no agent is chosen, it had no such version, or one only. */
function NotCompared({ answer, place }: VersionsProps) {
  const t = useTranslations("overview.versions");
  const agents = useFacets()?.agents ?? [];
  const { agent, before, after } = place;
  if (agent === "")
    return (
      <EmptyState
        icon="clock"
        title={t("title")}
        actions={agents.map((name) => (
          <Link key={name} href={versionsAddress({ ...place, agent: name })} className="act">
            {name}
          </Link>
        ))}
      >
        {t("choose")}
      </EmptyState>
    );
  const known = answer?.versions ?? [];
  const unknown = [before, after].find((name) => name !== "" && !known.some(({ version }) => version === name));
  return unknown === undefined ? (
    <EmptyState icon="clock" title={t("one")}>
      {t("one_text", { agent, count: known.length })}
    </EmptyState>
  ) : (
    <EmptyState icon="clock" title={t("unknown", { version: unknown })}>
      {t("unknown_text", { agent })}
    </EmptyState>
  );
}

function Bar({ answer, place }: VersionsProps) {
  const t = useTranslations("overview");
  const router = useRouter();
  const words = useWords();
  const facets = useFacets();
  const { agent, before, after, period } = place;
  const change = (part: Partial<VersionsPlace>) => router.push(versionsAddress({ ...place, ...part }));
  const chosen = answer?.compared?.versions;
  const versions = (answer?.versions ?? []).map(({ version, conversations, first }) => ({
    value: version,
    label: `${version} · ${t("versions.sides", { count: conversations })} · ${t("versions.since", { time: words.month(first) })}`,
  }));
  return (
    <div className="place-bar">
      <h1>{agent === "" ? t("versions.title") : t("versions.of", { agent })}</h1>
      <FilterMenu
        name={t("where.dimension.agent")}
        any={t("filter.any_agent")}
        value={agent}
        options={(facets?.agents ?? []).map((value) => ({ value, label: value }))}
        others={{ count: facets?.more.agents ?? 0, onType: (value) => change({ agent: value, before: "", after: "" }) }}
        onChange={(value) => change({ agent: value, before: "", after: "" })}
      />
      {(["before", "after"] as const).map((side) => (
        <FilterMenu
          key={side}
          name={t(`versions.${side}`)}
          any={chosen ? `${t(`versions.${side}`)}: ${chosen[side]}` : t(`versions.any_${side}`)}
          value={side === "before" ? before : after}
          options={versions}
          onChange={(value) => change({ [side]: value })}
        />
      ))}
      <FilterMenu<Period>
        name={t("filter.period")}
        any={t(`periods.${period}`)}
        value={period}
        options={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
        onChange={(value) => change({ period: value || "90d" })}
      />
    </div>
  );
}

interface ComparisonProps {
  answer: ComparedVersions;
  compared: Compared;
  agent: string;
}

function Comparison({ answer, compared, agent }: ComparisonProps) {
  const rows = useRows(answer, compared, agent);
  return (
    <>
      <Sentence compared={compared} rows={rows} />
      <Measures answer={answer} compared={compared} agent={agent} rows={rows} />
      <Differing compared={compared} />
    </>
  );
}

/** What differs beyond chance, in a sentence. */
function Sentence({ compared: { versions, cut }, rows }: { compared: Compared; rows: readonly Row[] }) {
  const t = useTranslations("overview.versions");
  const sure = rows.filter((row) => qualityOf(row) !== "same");
  const verdict = verdictOf(sure);
  const what = sure.map(({ short }) => short).join(", ");
  return (
    <section className="versions-sentence" data-verdict={verdict}>
      <h2>{verdict === "alike" ? t("alike") : t(verdict, { version: versions.after, what })}</h2>
      <p>
        {verdict === "alike" ? t("alike_text", versions) : t("sure_text")} {cut && t("cut")}
      </p>
    </section>
  );
}

function verdictOf(sure: readonly Row[]): "alike" | "worse" | "better" | "mixed" | "differs" {
  const qualities = new Set(sure.map(qualityOf));
  if (qualities.has("worse")) return qualities.has("better") ? "mixed" : "worse";
  if (qualities.has("better")) return "better";
  return sure.length === 0 ? "alike" : "differs";
}
