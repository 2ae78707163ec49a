import type { Point } from "../edge/trace.ts";
import { keyOf } from "./bands.ts";
import type { MapLayout, Place, PlacedBand, PlacedCard } from "./layout.ts";
import { SIZES } from "./layout.ts";
import type { Links, Source } from "./links.ts";

/** A line between two cards of a band, relative to its top. */
export interface InnerLine {
  id: string;
  from: string;
  to: string;
  declared: boolean;
  points: readonly Point[];
}

/** The results of one call, or of a band when it is drawn from afar, on their way to later bands. */
export interface Rail {
  id: string;
  /** The calls that it starts from. */
  from: readonly string[];
  declared: boolean;
  /** From the source to the gutter. */
  start: readonly Point[];
  x: number;
  top: number;
  bottom: number;
  branches: readonly Branch[];
  /** It shares the last lane with others, whose column is drawn once. */
  isShared: boolean;
  /** The first step of its sources. */
  seq: number;
}

/** Where several rails share a lane, and how many they are at most. */
export interface SharedColumn {
  x: number;
  top: number;
  bottom: number;
  count: number;
}

export interface Branch {
  id: string;
  to: readonly string[];
  points: readonly Point[];
  /** The first step of its readers. */
  seq: number;
}

/** So many rails fit beside each other in the gutter; more share the last one. */
const LANES = 4;
const LANE = 7;
/** Between the lines of lanes where they leave and reach a row. */
const LANE_STEP = 2;
const FIRST_LANE = { near: 8, phone: 4 };
/** Where lines come down to a card that is not the first of its row. */
const BEFORE_CARD = 10;
/** Where lines end, before the chips. */
const AT_CHIP = 3;

/** The lines within a band: from the right of a card, between the rows, to the chips of the other one. */
export function innerLines({ cards }: PlacedBand, links: Links): InnerLine[] {
  const cardOf = new Map(cards.flatMap((card) => card.entry.calls.map((call) => [keyOf(call), card])));
  const lines = new Map<string, InnerLine>();
  const slots = new Map(cards.map((card, index) => [card, index % SLOTS]));
  for (const to of cards)
    for (const call of to.entry.calls)
      for (const source of links.get(keyOf(call)) ?? []) {
        const from = cardOf.get(source.from ?? "");
        if (!from || from === to) continue;
        const id = `${from.entry.id} ${to.entry.id} ${source.kind}`;
        if (lines.has(id)) continue;
        const declared = source.kind === "declared";
        lines.set(id, {
          id,
          from: from.entry.id,
          to: to.entry.id,
          declared,
          points: innerRoute(from, to, slots.get(from) ?? 0),
        });
      }
  return [...lines.values()];
}

/** Lines of different sources are beside each other. */
const SLOTS = 4;

function innerRoute(from: PlacedCard, to: PlacedCard, slot: number): Point[] {
  const start = { x: from.x + from.width, y: from.y + from.height / 2 };
  const out = start.x + 8 + slot * 5;
  const end = { x: to.x - AT_CHIP, y: chipsY(to.y) };
  const isNext = to.channel === from.channel && Math.abs(to.x - out) < SIZES.card.gap;
  if (isNext) return [start, { x: out, y: start.y }, { x: out, y: end.y }, end];
  const above = to.channel + 1 + slot * 2;
  const down = to.x - BEFORE_CARD;
  return [start, { x: out, y: start.y }, { x: out, y: above }, { x: down, y: above }, { x: down, y: end.y }, end];
}

function chipsY(cardTop: number): number {
  return cardTop - SIZES.chips / 2 - 1;
}

/** The rails of a whole map: results that later bands used. */
export function railsOf(layout: MapLayout, links: Links, phone: boolean): Rail[] {
  return layout.level === "near" ? nearRails(layout, links, phone) : farRails(layout, links);
}

interface Start {
  key: string;
  place: Place;
  declared: boolean;
  /** By the card where they end. */
  ends: Map<string, { place: Place; keys: string[] }>;
}

function startsOf({ places }: MapLayout, links: Links, phone: boolean): Start[] {
  const starts = new Map<string, Start>();
  for (const [key, sources] of links) {
    const place = places.get(key);
    if (!place) continue;
    for (const source of sources) {
      const from = source.from === null ? undefined : places.get(source.from);
      // On a phone there is no room between cards.
      if (!from || (from.band === place.band && !phone) || from.card === place.card) continue;
      addEnd(starts, { key: source.from ?? "", place: from, source, end: { key, place } });
    }
  }
  return [...starts.values()];
}

interface NewEnd {
  key: string;
  place: Place;
  source: Source;
  end: { key: string; place: Place };
}

function addEnd(starts: Map<string, Start>, { key, place, source, end }: NewEnd): void {
  const id = place.card?.entry.id ?? key;
  const start = starts.get(id) ?? { key: id, place, declared: true, ends: new Map() };
  starts.set(id, start);
  if (source.kind !== "declared") start.declared = false;
  const at = end.place.card?.entry.id ?? end.key;
  const known = start.ends.get(at);
  if (known) known.keys.push(end.key);
  else start.ends.set(at, { place: end.place, keys: [end.key] });
}

function nearRails(layout: MapLayout, links: Links, phone: boolean): Rail[] {
  const starts = startsOf(layout, links, phone)
    .filter(({ place, ends }) => place.card !== null && ends.size > 0)
    .sort((a, b) => a.place.y - b.place.y || a.place.x - b.place.x);
  const lanes = new Lanes(phone ? FIRST_LANE.phone : FIRST_LANE.near);
  return starts.flatMap(({ key, place, declared, ends }) => {
    if (!place.card) return [];
    const foot = place.y + place.height;
    const bottom = Math.max(...[...ends.values()].map((end) => end.place.y));
    const lane = lanes.take(foot, bottom);
    const y = foot + 4 + lane.index * LANE_STEP;
    const branches = [...ends].map(([id, end]): Branch => {
      const card = end.place.card;
      const chip = { x: end.place.x - AT_CHIP, y: chipsY(end.place.y) };
      const above = (layout.tops[end.place.band] ?? 0) + (card?.channel ?? 0) + 2 + lane.index * LANE_STEP;
      const down = end.place.x - BEFORE_CARD;
      const way = card?.isFirst
        ? [{ x: lane.x, y: chip.y }]
        : [
            { x: lane.x, y: above },
            { x: down, y: above },
            { x: down, y: chip.y },
          ];
      return { id, to: end.keys, points: [...way, chip], seq: firstStep(layout, end.keys) };
    });
    const out = place.x + 14;
    const start = [
      { x: out, y: foot },
      { x: out, y },
      { x: lane.x, y },
      { x: lane.x, y: y + 1 },
    ];
    return [
      {
        ...{ id: key, from: place.card.entry.calls.map(keyOf), declared, start, x: lane.x, top: y, branches },
        bottom: Math.max(...branches.map(({ points }) => points[0]?.y ?? y)),
        ...{ isShared: lane.isShared, seq: place.seq },
      },
    ];
  });
}

/** From afar, one rail for each band, without values. */
function farRails(layout: MapLayout, links: Links): Rail[] {
  const byBand = new Map<number, { declared: boolean; from: Set<string>; ends: Map<number, Set<string>> }>();
  for (const [key, sources] of links) {
    const to = layout.places.get(key);
    if (!to) continue;
    for (const source of sources) {
      const from = source.from === null ? undefined : layout.places.get(source.from);
      if (!from || from.band === to.band || source.from === null) continue;
      const rail = byBand.get(from.band) ?? { declared: true, from: new Set(), ends: new Map() };
      byBand.set(from.band, rail);
      if (source.kind !== "declared") rail.declared = false;
      rail.from.add(source.from);
      const end = rail.ends.get(to.band) ?? new Set();
      rail.ends.set(to.band, end.add(key));
    }
  }
  const lanes = new Lanes(FIRST_LANE.near);
  const middle = (band: number) => (layout.tops[band] ?? 0) + 14;
  return [...byBand]
    .sort(([a], [b]) => a - b)
    .map(([band, { declared, from, ends }]) => {
      const y = middle(band) + 4;
      const bottom = middle(Math.max(...ends.keys()));
      const lane = lanes.take(y, bottom);
      return {
        ...{ id: `band ${band}`, from: [...from], declared, x: lane.x, top: y, bottom, isShared: lane.isShared },
        seq: firstStep(layout, [...from]),
        start: [
          { x: SIZES.gutter, y },
          { x: lane.x, y },
          { x: lane.x, y: y + 1 },
        ],
        branches: [...ends].map(([to, keys]) => ({
          id: String(to),
          to: [...keys],
          seq: firstStep(layout, [...keys]),
          points: [
            { x: lane.x, y: middle(to) },
            { x: SIZES.gutter, y: middle(to) },
          ],
        })),
      };
    });
}

function firstStep({ places }: MapLayout, keys: readonly string[]): number {
  return Math.min(...keys.map((key) => places.get(key)?.seq ?? 0));
}

/** The columns of rails that share a lane. */
export function sharedColumns(rails: readonly Rail[]): SharedColumn[] {
  const columns: SharedColumn[] = [];
  let open: number[] = [];
  for (const { isShared, x, top, bottom } of rails) {
    if (!isShared) continue;
    const column = columns.at(-1);
    open = [...open.filter((end) => end >= top), bottom];
    if (column && column.bottom >= top) {
      column.bottom = Math.max(column.bottom, bottom);
      column.count = Math.max(column.count, open.length);
    } else columns.push({ x, top, bottom, count: 1 });
  }
  return columns;
}

/** Gives each rail a lane of its own, as long as there are any; further ones share the last. */
class Lanes {
  readonly #first: number;
  readonly #ends: number[] = Array.from({ length: LANES - 1 }, () => Number.NEGATIVE_INFINITY);

  constructor(first: number) {
    this.#first = first;
  }

  take(top: number, bottom: number): { index: number; x: number; isShared: boolean } {
    const free = this.#ends.findIndex((end) => end < top);
    const index = free < 0 ? LANES - 1 : free;
    if (free >= 0) this.#ends[free] = bottom;
    return { index, x: this.#first + index * LANE, isShared: free < 0 };
  }
}
