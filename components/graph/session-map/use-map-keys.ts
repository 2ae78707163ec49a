"use client";

import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { keyOf } from "./bands.ts";
import type { MapLayout, Place } from "./layout.ts";

/** Moves between the calls of the map: along a row, and to the nearest one of the row above or below. */
export function useMapKeys(
  content: RefObject<HTMLElement | null>,
  layout: MapLayout | null,
  show: (place: Place) => void,
): { onKeyDown(event: KeyboardEvent<HTMLElement>): void } {
  /** The call that is focused as soon as it is rendered. */
  const wanted = useRef<string | null>(null);

  // Bands are rendered when they are near the pane: the focus follows after that.
  useLayoutEffect(() => {
    const key = wanted.current;
    if (key === null || !content.current) return;
    for (const card of content.current.querySelectorAll<HTMLElement>("[data-key]")) {
      if (card.dataset.key !== key) continue;
      wanted.current = null;
      card.focus({ preventScroll: true });
    }
  });

  return {
    onKeyDown(event) {
      const key = event.target instanceof HTMLElement ? event.target.dataset.key : undefined;
      if (key === undefined || !layout || event.altKey || event.ctrlKey || event.metaKey) return;
      const next = neighbourOf(layout, key, event.key);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (next === null) return;
      const place = layout.places.get(next);
      if (!place) return;
      wanted.current = next;
      show(place);
      for (const card of content.current?.querySelectorAll<HTMLElement>("[data-key]") ?? []) {
        if (card.dataset.key !== next) continue;
        wanted.current = null;
        card.focus({ preventScroll: true });
      }
    },
  };
}

/** The key of the call to which a key of the keyboard leads; null at an end, undefined for other keys. */
export function neighbourOf(layout: MapLayout, key: string, pressed: string): string | null | undefined {
  const stops = stopsOf(layout);
  const at = stops.findIndex((stop) => stop.key === key);
  const here = stops[at];
  if (!here) return undefined;
  switch (pressed) {
    case "ArrowRight":
      return stops[at + 1]?.key ?? null;
    case "ArrowLeft":
      return stops[at - 1]?.key ?? null;
    case "ArrowDown":
      return nearest(stops.slice(at + 1), here, (y) => y > here.y);
    case "ArrowUp":
      return nearest(stops.slice(0, at).reverse(), here, (y) => y < here.y);
    case "Home":
      return stops[0]?.key ?? null;
    case "End":
      return stops.at(-1)?.key ?? null;
    default:
      return undefined;
  }
}

interface Stop {
  key: string;
  x: number;
  y: number;
}

/** What can be focused, in order. */
function stopsOf({ bands, places }: MapLayout): Stop[] {
  return bands.flatMap(({ cards, marks }) =>
    [
      ...cards.map(({ entry }) => entry.calls[0]),
      ...marks.flatMap(({ calls, merged }) => (merged ? calls.slice(0, 1) : calls)),
    ].flatMap((call) => {
      const key = keyOf(call);
      const place = places.get(key);
      return place ? [{ key, x: place.x, y: place.y }] : [];
    }),
  );
}

/** The nearest call of the next row. */
function nearest(stops: readonly Stop[], here: Stop, isBeyond: (y: number) => boolean): string | null {
  let best: Stop | null = null;
  for (const stop of stops) {
    if (!isBeyond(stop.y)) continue;
    if (best && Math.abs(stop.y - best.y) > 8) break;
    if (!best || Math.abs(stop.x - here.x) < Math.abs(best.x - here.x)) best = stop;
  }
  return best?.key ?? null;
}
