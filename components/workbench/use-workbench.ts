"use client";

import { useSearchParams } from "next/navigation";
import { useEffect, useState } from "react";
import { type Place, parsePlace, printPlace } from "./place.ts";
import { findTemplate, keepDraft, type Loss, readDraft } from "./template/template-draft.ts";
import { printHash, readHash } from "./template/template-hash.ts";

/** Browsers refuse more than a hundred history changes in 30 s; ms. */
const REST = 400;

/** Where the template is stored: `origin` is unmodified, `nowhere` is too long for session storage. */
export type Kept = "origin" | "link" | "tab" | "nowhere";

/**
 * The inputs and the template of the page. Both are in the address; a template that is too long is only in session
 * storage. `originOf` returns the template of an agent, or the starter template.
 */
export function useWorkbench(originOf: (agent: string | null) => string) {
  const query = useSearchParams().toString();
  const [place, setPlace] = useState(() => parsePlace(new URLSearchParams(query)));
  const [seen, setSeen] = useState(query);
  const [sent, setSent] = useState(query);
  const [written, setWritten] = useState<string | null>(null);
  const [loss, setLoss] = useState<Loss | null>(null);
  const [full, setFull] = useState(false);
  const [ready, setReady] = useState(false);
  const origin = originOf(place.agent);
  const own = written === origin ? null : written;
  const hash = own === null ? "" : printHash(own);

  // The address was changed from elsewhere.
  if (query !== seen) {
    setSeen(query);
    if (query !== sent) setPlace(parsePlace(new URLSearchParams(query)));
  }

  // The outside system is the address, whose hash the server does not see.
  useEffect(() => {
    const read = () => {
      const { hash, search } = window.location;
      const found = findTemplate(hash, parsePlace(new URLSearchParams(search)).agent);
      setWritten(found.written);
      setLoss(found.loss);
      setReady(true);
    };
    // Other hashes are anchors on the page.
    const refetchAfterChange = () => readHash(window.location.hash).kind !== "none" && read();
    read();
    addEventListener("hashchange", refetchAfterChange);
    return () => removeEventListener("hashchange", refetchAfterChange);
  }, []);

  // The outside system is the browser's address.
  useEffect(() => {
    const timer = setTimeout(() => {
      const { pathname, search, hash: current } = window.location;
      const next = printPlace(place);
      if (next === search && hash === current) return;
      setSent(next.slice(1));
      window.history.replaceState(null, "", pathname + next + hash);
    }, REST);
    return () => clearTimeout(timer);
  }, [place, hash]);

  const keep = (agent: string | null, next: string | null) => {
    setWritten(next);
    setFull(!keepDraft(agent, next));
    setLoss(null);
  };
  const elsewhere = full ? "nowhere" : "tab";
  const kept: Kept = own === null ? "origin" : readHash(hash).kind === "template" ? "link" : elsewhere;
  return {
    place,
    template: own ?? origin,
    /** Whether the address has been read; until then the template is unmodified. */
    ready,
    kept,
    loss,
    /** The address to write when the inputs rest, from its query on. */
    address: printPlace(place) + hash,
    change: (part: Partial<Place>) => setPlace((before) => ({ ...before, ...part })),
    write: (text: string) => keep(place.agent, text === origin ? null : text),
    /** Switches to an agent's template, or for null to the own one. Returns it. */
    begin(agent: string | null): string {
      const draft = agent === null ? readDraft(null) : null;
      setPlace((before) => ({ ...before, agent }));
      keep(agent, draft);
      return draft ?? originOf(agent);
    },
  };
}
