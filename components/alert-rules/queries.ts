"use client";

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi, sendApi } from "@/components/client/api.ts";
import type { Condition } from "@/lib/alert-rules/rule.ts";
import type { AlertRule, Backtest, Page, RuleFiring } from "@/lib/api/shapes.ts";
import { RULES_KEY } from "./rules-key.ts";

/** A rule with its history. */
export interface KnownRule {
  rule: AlertRule;
  firings: RuleFiring[];
}

/** How often states are read again while they are looked at, ms. */
const AGAIN_MS = 15_000;
/** The same while a rule was never evaluated: it is, as soon as it is saved. */
const NEW_AGAIN_MS = 1_000;

function againAfter(rules: readonly AlertRule[] | undefined): number {
  return rules?.some(({ enabled, state }) => enabled && state === "new") ? NEW_AGAIN_MS : AGAIN_MS;
}

const at = (id: string) => `/api/alert-rules/${encodeURIComponent(id)}`;

/** All rules, and the channels by which they are sent. */
export type KnownRules = Pick<Page<AlertRule>, "items"> & { channels: readonly string[] };

export function useRules() {
  return useQuery({
    queryKey: RULES_KEY,
    queryFn: ({ signal }) => callApi<KnownRules>("/api/alert-rules", { signal }),
    refetchInterval: ({ state }) => againAfter(state.data?.items),
  });
}

/** A rule; nothing is read for one that is not saved. */
export function useRule(known: KnownRule | null) {
  return useQuery({
    queryKey: ["alert-rule", known?.rule.id],
    queryFn: ({ signal }) => callApi<KnownRule>(at(known?.rule.id ?? ""), { signal }),
    enabled: known !== null,
    refetchInterval: ({ state }) => againAfter(state.data && [state.data.rule]),
    ...(known && { initialData: known }),
  });
}

/** When a condition would have fired; null: it is not complete. */
export function useBacktest(condition: Condition | null, days: 7 | 30) {
  return useQuery({
    queryKey: ["backtest", condition, days],
    queryFn: ({ signal }) =>
      callApi<Backtest>("/api/alert-rules/try", { method: "POST", body: { condition, days }, signal }),
    enabled: condition !== null,
    placeholderData: keepPreviousData,
  });
}

/** What is written of a rule. */
interface Written {
  name: string;
  condition: Condition;
  enabled: boolean;
}

/** Makes a rule, or replaces the one of the id. */
export function useSaveRule(id: string | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Written) =>
      callApi<AlertRule>(id === null ? "/api/alert-rules" : at(id), { method: id === null ? "POST" : "PUT", body }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: RULES_KEY });
      void client.invalidateQueries({ queryKey: ["alert-rule", id] });
    },
  });
}

export function useMuteRule(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (until: string | null) => callApi<AlertRule>(`${at(id)}/mute`, { method: "POST", body: { until } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: RULES_KEY });
      void client.invalidateQueries({ queryKey: ["alert-rule", id] });
    },
  });
}

export function useRemoveRule(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => sendApi(at(id), { method: "DELETE" }),
    onSuccess: () => client.invalidateQueries({ queryKey: RULES_KEY }),
  });
}
