import { type ShownCallStatus, shownStatus } from "@/components/ui/status.ts";
import type { MapCall } from "@/lib/session/map/session-map.ts";
import { type MapLayout, type PlacedBand, SIZES } from "./layout.ts";

/** The shown status of a call at a step; of one that is yet to come, how it will end. */
export function statusAt(call: MapCall, at: number): ShownCallStatus {
  const { started_seq, parked_seq, ended_seq, seq } = call;
  if (seq > at || ended_seq === null || ended_seq <= at) return shownStatus(call);
  const isStarted = started_seq !== null && started_seq <= at;
  const isParked = parked_seq !== null && parked_seq <= at && (!isStarted || started_seq < parked_seq);
  return isParked ? "parked" : isStarted ? "running" : "planned";
}

/** A step for one band: before it, within it, or after it. Bands that the playhead does not cross are the same. */
export function stepIn({ band }: PlacedBand, at: number): number {
  if (at >= band.to) return Number.POSITIVE_INFINITY;
  return at < band.from ? -1 : at;
}

/** Where the playhead crosses the map. */
export function playheadY({ bands, tops, height }: MapLayout, at: number): number {
  let index = bands.findIndex(({ band }) => band.from > at) - 1;
  if (index === -2) index = bands.length - 1;
  const placed = bands[index];
  if (!placed) return 0;
  const top = tops[index] ?? 0;
  const bottom = tops[index + 1] ?? height;
  if (at >= placed.band.to) return bottom;
  const ends = placed.cards.filter(({ entry }) => entry.calls[0].seq <= at).map((card) => card.y + card.height + 6);
  if (placed.cards.length === 0) return bottom;
  return top + Math.max(SIZES.header, ...ends);
}
