"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import { useSettled } from "../use-settled.ts";

/** As many as are taken in at a glance. */
const SHOWN = 8;
/** Long enough to type a word in one go, ms. */
const REST = 200;

/** The conversations in which some words stand, the last active first; all while there are no words. */
export function useFound(text: string, isOpen: boolean) {
  const q = useSettled(text.trim(), REST);
  const { data, error, isPending, isPlaceholderData } = useQuery({
    queryKey: ["conversations-found", q],
    queryFn: ({ signal }) => callApi<Page<Conversation>>("/api/conversations", { query: { q, limit: SHOWN }, signal }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
    // A list that was opened before may lack what has happened since.
    staleTime: 0,
  });
  return {
    found: data?.items ?? [],
    error,
    isPending,
    /** They are what was found for these very words. */
    isTheirs: data !== undefined && !isPlaceholderData && q === text.trim(),
  };
}
