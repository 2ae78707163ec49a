"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { ApiProblem } from "@/components/client/api.ts";
import { type DocumentName, type Draft, EMPTY_DRAFT } from "./documents.ts";
import { hasDraft, readHash } from "./draft-hash.ts";
import { formerDraft, keepDraft, setAside, storedDraft } from "./draft-store.ts";
import { parsePlace } from "./plan-place.ts";
import { loadPlan } from "./studio-plan.ts";

/** Why what an address leads to is not there. */
export type Loss = "unreadable" | "no_plan" | "unreachable";

export interface OpenDraft {
  /** Null until this browser's own is read. */
  draft: Draft | null;
  /** Counts the drafts that took another's place, so that what belongs to one goes with it. */
  opened: number;
  /** There is one that was being written before. */
  hasFormer: boolean;
  /** It is kept over a reload. */
  isKept: boolean;
  loss: Loss | null;
  write(document: DocumentName, text: string): void;
  /** Opens another draft; what was being written is set aside. */
  open(next: Draft): void;
  /** Exchanges the draft and the one that was being written before. */
  swap(): void;
}

/**
 * What is being written, kept in this browser over a reload. An address that has a plan, or names a session's, opens it
 * in its place; the address is then the page's own again.
 */
export function useDraft(): OpenDraft {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [opened, setOpened] = useState(0);
  const [hasFormer, setHasFormer] = useState(false);
  const [isKept, setIsKept] = useState(true);
  const [loss, setLoss] = useState<Loss | null>(null);

  const show = (next: Draft) => {
    setDraft(next);
    setOpened((count) => count + 1);
    setHasFormer(formerDraft(localStorage) !== null);
  };
  const open = (next: Draft) => {
    setAside(localStorage, draft ?? storedDraft(localStorage), next);
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
    window.history.replaceState(null, "", window.location.pathname);
    if (found && typeof found === "object") return open(found);
    show(storedDraft(localStorage));
    setLoss(found);
  });
  // The outside systems are the browser's address, its storage, and the server.
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
      const next = { ...(draft ?? EMPTY_DRAFT), [document]: text };
      setDraft(next);
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
