"use client";

import type { PlanProblem } from "@/lib/plan/problem.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { PlanEditor } from "../canvas/use-plan-editor.ts";
import type { KnownPath } from "../editor/known-paths.ts";
import { useProblemWords } from "../editor/use-problem-words.ts";
import type { ReadCalls } from "../read-calls.ts";
import type { OpenPlan } from "../use-plan.ts";

interface FieldProblem {
  severity: PlanProblem["severity"];
  sentence: string;
}

/** The selected call as the fields of the form need it. */
export interface EditedCall {
  id: string;
  /** As written. */
  call: JsonObject;
  edit: PlanEditor["edit"];
  paths: readonly KnownPath[];
  read: ReadCalls;
  /** The problems at a JSON Pointer in the call and, unless `exactly`, below it. */
  problemsAt(pointer: string, exactly?: boolean): FieldProblem[];
}

/** The selected call; null without one. */
export function useEditedCall(plan: OpenPlan, editor: PlanEditor, id: string | null): EditedCall | null {
  const words = useProblemWords();
  const call = id === null ? undefined : plan.written[plan.read.ids.indexOf(id)];
  if (id === null || !call) return null;
  const own = plan.problems.filter((problem) => problem.call === id);
  return {
    ...{ id, call, edit: editor.edit, paths: plan.knowledge.paths, read: plan.read },
    problemsAt: (pointer, exactly = false) =>
      own
        .filter(({ path }) => path === pointer || (!exactly && pointer !== "" && path.startsWith(`${pointer}/`)))
        .map((problem) => ({ severity: problem.severity, sentence: words(problem).sentence })),
  };
}
