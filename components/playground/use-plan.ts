"use client";

import { useMemo, useState } from "react";
import { instancesOf, kindsOf } from "@/lib/plan/context.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Session } from "@/lib/session/session.ts";
import { type Documents, type Draft, documentReader, EMPTY_DRAFT } from "./draft/documents.ts";
import { contextOf, knownPaths } from "./editor/known-paths.ts";
import { type PlacedProblem, placeFaults, placeProblems, placeRefused } from "./editor/place-problems.ts";
import type { Knowledge } from "./editor/suggestions.ts";
import { type Known, useKnownTools } from "./editor/use-known-tools.ts";
import { createCallsReader, type ReadCalls } from "./read-calls.ts";
import { type Branches, type SimulationState, useSimulation } from "./run/use-simulation.ts";
import { createSketcher, framesOf, withVerdict } from "./sketch.ts";
import { type CheckState, type PlanRequest, useCheck } from "./use-check.ts";

/** Plans with more calls are simulated on request, because there is a session per wave. */
const PLAY_UNASKED = 200;

const NO_CALLS: JsonObject[] = [];

export interface OpenPlan {
  documents: Documents;
  /** Null while a text is invalid. */
  request: PlanRequest | null;
  known: Known;
  knowledge: Knowledge;
  /** Of the newest valid plan. */
  read: ReadCalls;
  /** Its calls as written. */
  written: readonly JsonObject[];
  check: CheckState;
  /** All problems, in the order of the texts. */
  problems: readonly PlacedProblem[];
  /** The plan before the simulation, and after each wave. */
  frames: readonly Session[];
  simulation: SimulationState;
  branches: Branches;
  choose(call: string, branch: number): void;
  /** It is too large to be simulated automatically. */
  isLarge: boolean;
  play(): void;
}

/** Derives the page's data from the draft. `opened` changes with each opened draft. */
export function usePlan(draft: Draft | null, opened: number): OpenPlan {
  const [readDocuments] = useState(documentReader);
  const documents = useMemo(() => readDocuments(draft ?? EMPTY_DRAFT), [draft, readDocuments]);
  const last = useLastReadable(documents.values);
  const known = useKnownTools(last.tools);
  const [readCalls] = useState(createCallsReader);
  const read = useMemo(() => readCalls(last.plan, known), [readCalls, last.plan, known]);
  const context = useMemo(() => contextOf(last.context), [last.context]);
  const knowledge = useMemo(
    () => ({
      ...known,
      paths: once(() => knownPaths(read, last.context, known)),
      kinds: context ? [...kindsOf(context)] : [],
      instances: context ? instancesOf(context).filter((instance) => instance !== "") : [],
    }),
    [known, read, last.context, context],
  );

  const { plan, context: messages, tools } = documents.values;
  const request = useMemo(
    () => (draft && plan && messages && tools ? { plan, context: messages, tools } : null),
    [draft, plan, messages, tools],
  );
  const check = useCheck(draft, request);
  const found = check.check;
  const problems = useMemo(() => {
    const checked = found && request ? placeProblems(documents, read.ids, found.problems) : [];
    const refused = found && request ? placeRefused(documents, found.refused) : [];
    return [...placeFaults(documents), ...refused, ...checked];
  }, [documents, request, read, found]);

  const [branches, setBranches] = useState<{ opened: number; chosen: Branches }>({ opened, chosen: {} });
  const chosen = useMemo(
    () => valid(branches.opened === opened ? branches.chosen : {}, read),
    [branches, opened, read],
  );
  const [asked, setAsked] = useState<PlanRequest | null>(null);
  const isLarge = read.calls.length > PLAY_UNASKED;
  const isSound = found?.ok === true && !check.isStale && read.calls.length > 0;
  const simulation = useSimulation(draft, isSound && (!isLarge || asked === request) ? request : null, chosen);

  const [sketchPlan] = useState(createSketcher);
  const sketch = useMemo(() => sketchPlan(read, context), [sketchPlan, read, context]);
  const start = useMemo(() => withVerdict(sketch, found?.problems ?? []), [sketch, found]);
  const frames = useMemo(
    () => (simulation.simulation ? framesOf(start, read, simulation.simulation) : [start]),
    [start, read, simulation.simulation],
  );
  return {
    ...{ documents, request, known, knowledge, read, written: last.plan, check, problems, frames, simulation, isLarge },
    branches: chosen,
    choose: (call, branch) => setBranches({ opened, chosen: { ...chosen, [call]: branch } }),
    play: () => setAsked(request),
  };
}

/** Only completion, the form and the connection need the paths, and a plan can have thousands. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Each text in its last valid version, so that an incomplete plan still has a graph. */
function useLastReadable(values: Documents["values"]): Record<keyof Documents["values"], JsonObject[]> {
  const [last, setLast] = useState({ plan: NO_CALLS, context: NO_CALLS, tools: NO_CALLS });
  const next = {
    plan: values.plan ?? last.plan,
    context: values.context ?? last.context,
    tools: values.tools ?? last.tools,
  };
  const isSame = next.plan === last.plan && next.context === last.context && next.tools === last.tools;
  if (!isSame) setLast(next);
  return isSame ? last : next;
}

/** Choices for calls that still exist and have that alternative. */
function valid(chosen: Branches, { calls }: ReadCalls): Branches {
  const most = new Map(calls.map(({ id, outputPath }) => [id, (outputPath?.length ?? 1) - 1]));
  return Object.fromEntries(
    Object.entries(chosen).filter(([id, branch]) => branch > 0 && branch <= (most.get(id) ?? 0)),
  );
}
