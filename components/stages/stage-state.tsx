"use client";

import { useTranslations } from "next-intl";
import { useMemo } from "react";
import { JsonTree } from "@/components/inspector/json-tree.tsx";
import { Fact, Facts, Part } from "@/components/inspector/part.tsx";
import { StepLink } from "@/components/inspector/step-link.tsx";
import { useEvent } from "@/components/studio/use-event.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Run } from "@/lib/session/session.ts";
import { ENDS } from "./dialog-graph.ts";
import { changedRows, leftState, stateOf } from "./left-state.ts";
import { iterationsOf, type Visit } from "./turn-path.ts";
import { useStageNames } from "./use-stage-names.ts";

/** A visit of a node: agents, result, and the conversation state after it (D3). */
export function StageState({ run, visit }: { run: Run; visit: Visit }) {
  const t = useTranslations("stages");
  const names = useStageNames();
  const came = useEvent(visit.seq);
  const left = useEvent(visit.next?.seq ?? visit.seq);
  return (
    <>
      <header className="flex flex-wrap items-baseline gap-x-2 border-line border-b px-3 pt-2.5 pb-1.5">
        <h3 className="text-14 font-semibold">{names.node(visit.node)}</h3>
        <code className="font-mono text-11 text-fg-3">{visit.node}</code>
      </header>
      <Facts>
        <Fact label={t("came.at")}>
          <StepLink step={visit.seq} />
        </Fact>
        {visit.node !== ENDS.end && (
          <Fact label={t("left.at")}>{visit.next ? <StepLink step={visit.next.seq} /> : t(standing(run))}</Fact>
        )}
        {visit.agents.length > 0 && (
          <Fact label={t("agent")}>
            <code className="font-mono text-11">{visit.agents.join(" → ")}</code>
          </Fact>
        )}
        {visit.speakers.length > 0 && (
          <Fact label={t("iterations")}>
            <SpokenIterations run={run} visit={visit} />
          </Fact>
        )}
      </Facts>
      {came && left ? (
        <Told visit={visit} came={stateOf(came.payload)} left={stateOf(left.payload)} />
      ) : (
        <p className="px-3 py-2 text-fg-3">{t("loading")}</p>
      )}
    </>
  );
}

function standing({ ended_seq }: Run): "left.notYet" | "left.ended" {
  return ended_seq === null ? "left.notYet" : "left.ended";
}

interface ToldProps {
  visit: Visit;
  came: JsonObject;
  left: JsonObject;
}

function Told({ visit, came, left }: ToldProps) {
  const t = useTranslations("stages");
  const isLeft = visit.next !== null;
  // The end node shows the result of the turn.
  const given = useMemo(() => leftState(visit.node === ENDS.end ? {} : came, left), [visit, came, left]);
  const marks = useMemo(() => changedRows(came, left), [came, left]);
  return (
    <>
      <div className="-mt-2 border-line border-b empty:hidden">
        {(given.usedTools.length > 0 || given.responseId || given.managerAlert) && (
          <Facts>
            {given.usedTools.length > 0 && (
              <Fact label={t("usedTools")}>
                <code className="font-mono text-11">{given.usedTools.join(", ")}</code>
              </Fact>
            )}
            {given.responseId && (
              <Fact label={t("responseId")}>
                <code className="font-mono text-11">{given.responseId}</code>
              </Fact>
            )}
            {given.managerAlert && <Fact label={t("managerAlert")}>{given.managerAlert}</Fact>}
          </Facts>
        )}
      </div>
      {given.answer !== null && (
        <Part title={t("answer")}>
          <p className="text-13 leading-[var(--lh-body)] text-pretty whitespace-pre-wrap wrap-anywhere">
            {given.answer}
          </p>
        </Part>
      )}
      <Part title={t(isLeft ? "stateLeft" : "stateCame")} aside={isLeft && marks.size > 0 && t("changed")}>
        {Object.keys(left).length === 0 ? (
          <p className="text-fg-3">{t("noState")}</p>
        ) : (
          <JsonTree
            label={t("state")}
            value={left}
            markOf={(row) => marks.get(row.id) ?? null}
            className="-mx-3 max-h-110"
          />
        )}
      </Part>
    </>
  );
}

/** The iterations of a node's agents, with links to their steps. */
function SpokenIterations({ run, visit }: { run: Run; visit: Visit }) {
  const t = useTranslations("stages");
  const rows = useStudio((state) => state.timeline);
  const at = useStudio((state) => state.session.at);
  const isMany = visit.agents.length > 1;
  return iterationsOf(run.id, visit, rows, at).map(({ agent_id, iteration, seq }) => (
    <StepLink key={seq} step={seq}>
      <span className="sr-only">{t("iteration")}</span> {iteration}
      {isMany && <span className="font-mono text-11 text-fg-3">{agent_id}</span>}
    </StepLink>
  ));
}
