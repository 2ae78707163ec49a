"use client";

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import { refetchAfterChange } from "@/components/client/refetch-after-change.ts";
import { DELEGATES_KEY, TOOLS_KEY } from "../editor/use-known-tools.ts";
import type { PlanRequest } from "../use-check.ts";
import { type DelegateSettings, delegateOf } from "./delegate-of.ts";

export interface SavedDelegate extends DelegateSettings {
  request: PlanRequest;
  /** The plan's own tools are registered first, because a delegate refers to tools by name. */
  registers: boolean;
}

export type SaveDelegate = UseMutationResult<void, Error, SavedDelegate>;

/** Saves a plan as a delegate. */
export function useSaveDelegate(): SaveDelegate {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn({ request, registers, ...settings }: SavedDelegate) {
      for (const tool of registers ? request.tools : []) await callApi("/api/tools", { method: "POST", body: tool });
      await callApi("/api/delegates", { method: "POST", body: delegateOf(request, settings) });
    },
    onSettled: () => Promise.all([refetchAfterChange(queries, DELEGATES_KEY), refetchAfterChange(queries, TOOLS_KEY)]),
  });
}
