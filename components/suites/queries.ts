"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import type {
  AgentVersion,
  CaseResult,
  Page,
  Promotion,
  SuiteCase,
  SuiteRow,
  SuiteRun,
  SuiteRunReport,
} from "@/lib/api/shapes.ts";
import { SUITES_KEY } from "./suites-key.ts";

/** A suite with its cases and newest runs. */
export interface SuiteAnswer {
  name: string;
  cases: SuiteCase[];
  runs: SuiteRun[];
}

export const suiteKey = (name: string) => ["suite", name] as const;
export const runKey = (name: string, run: string, against: string | null) => ["suite-run", name, run, against] as const;
const versionsKey = (agent: string) => ["agent-versions", agent] as const;

/** How often an open run is read again, ms. */
const AGAIN_MS = 700;

const at = (name: string) => `/api/suites/${encodeURIComponent(name)}`;
const ofAgent = (id: string) => `/api/agents/${encodeURIComponent(id)}`;

/** Whether a run has not ended. */
export function isOpen({ status }: Pick<SuiteRun, "status">): boolean {
  return status === "queued" || status === "running";
}

export function useSuites() {
  return useQuery({
    queryKey: SUITES_KEY,
    queryFn: async ({ signal }) => (await callApi<Page<SuiteRow>>("/api/suites", { signal })).items,
  });
}

export function useSuite(name: string) {
  return useQuery({
    queryKey: suiteKey(name),
    queryFn: ({ signal }) => callApi<SuiteAnswer>(at(name), { signal }),
    staleTime: 0,
  });
}

/** A run with what came of it; read again while it is open. */
export function useSuiteRun(name: string, run: string | null, against: string | null) {
  return useQuery({
    queryKey: runKey(name, run ?? "", against),
    queryFn: ({ signal }) => callApi<SuiteRunReport>(`${at(name)}/runs/${run}`, { query: { against }, signal }),
    enabled: run !== null,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data.run) ? AGAIN_MS : false),
  });
}

export function useCaseResult(name: string, run: string | null, id: string) {
  return useQuery({
    queryKey: ["case-result", name, run, id],
    queryFn: ({ signal }) => callApi<CaseResult>(`${at(name)}/runs/${run}/cases/${encodeURIComponent(id)}`, { signal }),
    enabled: run !== null,
  });
}

export function useAgentVersions(agent: string) {
  return useQuery({
    queryKey: versionsKey(agent),
    queryFn: ({ signal }) => callApi<{ current: string; items: Promotion[] }>(`${ofAgent(agent)}/versions`, { signal }),
  });
}

/** A definition by its version; it never changes. */
export function useAgentVersion(agent: string, version: string | null) {
  return useQuery({
    queryKey: ["agent-version", agent, version],
    queryFn: ({ signal }) => callApi<AgentVersion>(`${ofAgent(agent)}/versions/${version}`, { signal }),
    enabled: version !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What a run is asked for. */
export interface RunRequest {
  agent_id: string;
  instructions?: string | undefined;
  model?: string | undefined;
  tries: number;
  unrecorded: SuiteRun["rule"];
  cases?: string[] | undefined;
}

export function useStartRun(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: RunRequest) => callApi<SuiteRun>(`${at(name)}/runs`, { method: "POST", body }),
    onSuccess: () => client.invalidateQueries({ queryKey: suiteKey(name) }),
  });
}

export function useCancelRun(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: string) => callApi<SuiteRun>(`${at(name)}/runs/${run}/cancel`, { method: "POST", body: {} }),
    onSettled: (_, __, run) => client.invalidateQueries({ queryKey: ["suite-run", name, run] }),
  });
}

export function useCreateSuite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => callApi<{ name: string }>("/api/suites", { method: "POST", body: { name } }),
    onSuccess: () => client.invalidateQueries({ queryKey: SUITES_KEY }),
  });
}

/** Saves a session as a case. */
export function useSaveCase() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({
      suite,
      ...body
    }: {
      suite: string;
      conversation_id: string;
      step: number;
      title?: string | undefined;
    }) => callApi<SuiteCase>(`${at(suite)}/cases`, { method: "POST", body }),
    onSuccess: (_, { suite }) => {
      void client.invalidateQueries({ queryKey: SUITES_KEY });
      void client.invalidateQueries({ queryKey: suiteKey(suite) });
    },
  });
}

type Expectation = CaseResult["items"][number]["result"]["checks"][number]["expectation"];

/** Changes what has to hold in a case. */
export function useExpect(name: string, id: string) {
  return useMutation({
    mutationFn: (expected: Expectation[]) =>
      callApi<SuiteCase>(`${at(name)}/cases/${encodeURIComponent(id)}`, { method: "PUT", body: { expected } }),
  });
}

/** Adds a score to what has to hold in a case, in place of another bound of the same score. */
export function useExpectScore(name: string, id: string) {
  return useMutation({
    async mutationFn(score: { name: string; at_least: number }) {
      const path = `${at(name)}/cases/${encodeURIComponent(id)}`;
      // As it is now: the run that is shown may have checked something else.
      const { expected } = await callApi<{ expected: Expectation[] }>(path);
      const others = expected.filter((one) => one.kind !== "score" || one.name !== score.name);
      return callApi<SuiteCase>(path, { method: "PUT", body: { expected: [...others, { kind: "score", ...score }] } });
    },
  });
}

export function useRemoveCase(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => sendApi(`${at(name)}/cases/${encodeURIComponent(id)}`, { method: "DELETE" }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: suiteKey(name) });
      void client.invalidateQueries({ queryKey: ["suite-run", name] });
    },
  });
}

/** Gives an agent a version. */
export function usePromote(agent: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { version: string; run_id: string | null }) =>
      callApi<{ version: string; before: string }>(`${ofAgent(agent)}/promote`, { method: "POST", body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: versionsKey(agent) });
      void client.invalidateQueries({ queryKey: ["agents"] });
    },
  });
}
