"use client";

import { startTransition, useEffect, useEffectEvent, useRef, useState } from "react";
import { ApiProblem } from "@/components/client/api.ts";
import { type DocumentName, type Draft, EMPTY_DRAFT } from "./documents.ts";
import { hasDraft, readHash } from "./draft-hash.ts";
import { formerDraft, keepDraft, setAside, storedDraft } from "./draft-store.ts";
import { parsePlace, withoutPlace } from "./plan-place.ts";
import { loadPlan } from "./studio-plan.ts";

/** Why the plan in an address could not be opened. */
export type Loss = "unreadable" | "no_plan" | "unreachable";

/** The length from which a text is shown in parts, so that typing goes on. */
const LARGE = 60_000;

export interface OpenDraft {
  /** Null until storage is read. */
  draft: Draft | null;
  /** Counts replaced drafts, to reset what belongs to one. */
  opened: number;
  /** There is an earlier draft. */
  hasFormer: boolean;
  /** It is stored. */
  isKept: boolean;
  loss: Loss | null;
  write(document: DocumentName, text: string): void;
  /** Opens another draft and keeps the current one. */
  open(next: Draft): void;
  /** Swaps the draft and the earlier one. */
  swap(): void;
}

/**
 * The draft, kept in local storage. An address with a plan, or of a session's plan, replaces it; the address then
 * keeps only the selection.
 */
export function useDraft(): OpenDraft {
  const [draft, setDraft] = useState<Draft | null>(null);
  /** Not shown yet while a large one is rendered. */
  const newest = useRef<Draft | null>(null);
  const [opened, setOpened] = useState(0);
  const [hasFormer, setHasFormer] = useState(false);
  const [isKept, setIsKept] = useState(true);
  const [loss, setLoss] = useState<Loss | null>(null);

  const show = (next: Draft) => {
    newest.current = next;
    setDraft(next);
    setOpened((count) => count + 1);
    setHasFormer(formerDraft(localStorage) !== null);
  };
  const open = (next: Draft) => {
    setAside(localStorage, newest.current ?? storedDraft(localStorage), next);
    setIsKept(keepDraft(localStorage, next));
    setLoss(null);
    show(next);
  };

  const arrive = useEffectEvent(async (signal: AbortSignal) => {
    const { hash, search } = window.location;
    const place = parsePlace(search);
    if (!hasDraft(hash) && !place) return show(storedDraft(localStorage));
    const found = await (hasDraft(hash) ? readLink(hash) : place && readPlan(place, signal));
    if (signal.aborted) return;
    window.history.replaceState(null, "", window.location.pathname + withoutPlace(search));
    if (found && typeof found === "object") return open(found);
    show(storedDraft(localStorage));
    setLoss(found);
  });
  // The outside systems are the address, local storage and the server.
  useEffect(() => {
    const life = new AbortController();
    void arrive(life.signal);
    const again = () => hasDraft(window.location.hash) && void arrive(life.signal);
    addEventListener("hashchange", again);
    return () => {
      life.abort();
      removeEventListener("hashchange", again);
    };
  }, []);

  return {
    ...{ draft, opened, hasFormer, isKept, loss, open },
    write(document, text) {
      const next = { ...(newest.current ?? EMPTY_DRAFT), [document]: text };
      newest.current = next;
      const show = () => setDraft(next);
      if (text.length > LARGE) startTransition(show);
      else show();
      setIsKept(keepDraft(localStorage, next));
    },
    swap() {
      const former = formerDraft(localStorage);
      if (former) open(former);
    },
  };
}

async function readLink(hash: string): Promise<Draft | Loss> {
  return (await readHash(hash)) ?? "unreadable";
}

async function readPlan(place: NonNullable<ReturnType<typeof parsePlace>>, signal: AbortSignal): Promise<Draft | Loss> {
  try {
    return (await loadPlan(place, signal)) ?? "no_plan";
  } catch (error) {
    if (signal.aborted) return "unreachable";
    return error instanceof ApiProblem && error.status === 404 ? "no_plan" : "unreachable";
  }
}
