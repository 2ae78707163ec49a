"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Simulation } from "@/lib/plan/schedule/simulation.ts";
import type { Draft } from "../draft/documents.ts";
import { numberOf, type PlanRequest } from "../use-check.ts";

/** The chosen alternative by call id; the first by default. */
export type Branches = Readonly<Record<string, number>>;

export interface SimulationState {
  simulation: Simulation | null;
  isFetching: boolean;
  failure: Error | null;
  retry(): void;
}

/** Simulates a plan on the server (P18). Null requests nothing. */
export function useSimulation(draft: Draft | null, request: PlanRequest | null, branches: Branches): SimulationState {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["plan-simulation", numberOf(draft), branches],
    queryFn: ({ signal }) =>
      callApi<Simulation>("/api/plans/simulate", { method: "POST", body: { ...request, branches }, signal }),
    enabled: request !== null,
    // While other branches of the same plan load, the previous result stays.
    placeholderData: (former, query) => (query?.queryKey[1] === numberOf(draft) ? keepPreviousData(former) : undefined),
    gcTime: 0,
    retry: false,
  });
  return {
    simulation: request === null ? null : (data ?? null),
    isFetching,
    failure: error,
    retry: () => void refetch(),
  };
}
