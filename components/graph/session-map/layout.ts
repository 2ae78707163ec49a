import type { MapCall } from "@/lib/session/map/session-map.ts";
import { type Band, type CallEntry, type Entry, type FrameEntry, hasFailed, keyOf } from "./bands.ts";

/** Sizes of the map, px; `session-map.css` has the same. */
export const SIZES = {
  /** Room for the edges between bands. */
  gutter: 38,
  left: 52,
  /** Lines leave the last card of a row here, too. */
  right: 28,
  header: 27,
  /** On a phone a run's title is as high as a finger. */
  phone: { left: 30, right: 16, header: 44, card: 64, failed: 84 },
  card: { width: 172, widest: 264, height: 56, failed: 74, gap: 40 },
  /** Above a card: room for lines, then the chips. */
  channel: 8,
  chips: 20,
  foot: 12,
  bracket: 16,
  frame: { top: 12, pad: 12, bottom: 8 },
  far: { words: 330, share: 0.42, band: 38, line: 20, mark: 20, step: 24, side: 184 },
} as const;

/** A card, with its place in the band. */
export interface PlacedCard {
  entry: CallEntry;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The top of its row, where lines run above the chips. */
  channel: number;
  /** The left end of its row: lines from other rows come along it. */
  isFirst: boolean;
}

export interface PlacedFrame {
  entry: FrameEntry;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A line below the calls that ran side by side. */
export interface Bracket {
  id: string;
  x: number;
  y: number;
  width: number;
}

/** A line between two calls in a row of which one followed the other. */
export interface Then {
  id: string;
  x: number;
  y: number;
  width: number;
}

/** Marks of equal calls side by side, with their label. */
export interface MarkGroup {
  id: string;
  calls: readonly MapCall[];
  name: string;
  x: number;
  y: number;
  width: number;
  /** There are too many for a mark each. */
  merged: boolean;
  labelled: boolean;
}

/** A band with everything in it; positions are relative to its top. */
export interface PlacedBand {
  band: Band;
  height: number;
  cards: readonly PlacedCard[];
  frames: readonly PlacedFrame[];
  brackets: readonly Bracket[];
  thens: readonly Then[];
  marks: readonly MarkGroup[];
}

/** The whole map: bands one below another. */
export interface MapLayout {
  level: Level;
  width: number;
  height: number;
  bands: readonly PlacedBand[];
  /** The top of each band. */
  tops: readonly number[];
  /** Where each call is, by key. */
  places: ReadonlyMap<string, Place>;
}

export interface Place {
  band: number;
  /** Absolute. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** The call's first step. */
  seq: number;
  card: PlacedCard | null;
}

/** `near`: cards. `far`: a mark for each call. */
export type Level = "near" | "far";

interface Settings {
  level: Level;
  width: number;
  /** One card a row, and a narrow gutter. */
  phone: boolean;
}

/** Lays out a session's bands (pure); bands that are known keep their identity. */
export function createMapLayout(): (bands: readonly Band[], settings: Settings) => MapLayout {
  let known = new WeakMap<Band, PlacedBand>();
  let forSettings = "";
  return (bands, settings) => {
    const now = JSON.stringify(settings);
    if (now !== forSettings) known = new WeakMap();
    forSettings = now;
    const placed = bands.map((band) => {
      const found =
        known.get(band) ?? (settings.level === "near" ? placeNear(band, settings) : placeFar(band, settings));
      known.set(band, found);
      return found;
    });
    const tops: number[] = [];
    let height = 0;
    for (const band of placed) {
      tops.push(height);
      height += band.height;
    }
    return {
      level: settings.level,
      width: settings.width,
      height,
      bands: placed,
      tops,
      places: placesOf(placed, tops),
    };
  };
}

function placesOf(bands: readonly PlacedBand[], tops: readonly number[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const [band, { cards, marks }] of bands.entries()) {
    const top = tops[band] ?? 0;
    for (const card of cards)
      for (const call of card.entry.calls)
        places.set(keyOf(call), { ...pick(card), band, y: top + card.y, seq: call.seq, card });
    for (const group of marks)
      for (const [index, call] of group.calls.entries()) {
        const x = group.x + (group.merged ? 0 : index * SIZES.far.step);
        places.set(keyOf(call), {
          band,
          x,
          y: top + group.y,
          width: SIZES.far.mark,
          height: 14,
          seq: call.seq,
          card: null,
        });
      }
  }
  return places;
}

function pick({ x, width, height }: PlacedCard) {
  return { x, width, height };
}

interface Near {
  cards: PlacedCard[];
  frames: PlacedFrame[];
  brackets: Bracket[];
  thens: Then[];
}

function placeNear(band: Band, { width, phone }: Settings): PlacedBand {
  const near: Near = { cards: [], frames: [], brackets: [], thens: [] };
  const { left, right, header } = phone ? SIZES.phone : SIZES;
  const bottom = placeRows(band.entries, near, { x: left, y: header, width: width - left - right, phone });
  return { band, height: band.entries.length === 0 ? header : bottom + 2, ...near, marks: [] };
}

interface Room {
  x: number;
  y: number;
  width: number;
  phone: boolean;
}

/** Fills rows from left to right; returns where they end. */
function placeRows(entries: readonly Entry[], near: Near, { x: left, y: top, width, phone }: Room): number {
  const { card } = SIZES;
  const columns = phone ? 1 : Math.max(1, Math.floor((width + card.gap) / (card.width + card.gap)));
  const each = phone ? width : Math.min(card.widest, (width + card.gap) / columns - card.gap);
  const xOf = (column: number) => left + column * (each + card.gap);
  let y = top;
  let column = 0;
  let bottom = top;
  let row: PlacedCard[] = [];
  const newRow = () => {
    y = bottom + bracketsBelow(row, near.brackets, bottom);
    row = [];
    column = 0;
    bottom = y;
  };
  for (const entry of entries) {
    if (entry.kind === "calls") {
      if (column >= columns) newRow();
      const heights = phone ? { height: SIZES.phone.card, failed: SIZES.phone.failed } : card;
      const height = entry.calls.some(hasFailed) ? heights.failed : heights.height;
      const placed: PlacedCard = {
        entry,
        ...{ x: xOf(column), y: y + SIZES.channel + SIZES.chips, width: each, height },
        channel: y,
        isFirst: column === 0,
      };
      const before = row.at(-1);
      if (before && before.entry.calls[0].wave !== entry.calls[0].wave)
        near.thens.push({ id: entry.id, x: placed.x - card.gap, y: placed.y + 17, width: card.gap });
      near.cards.push(placed);
      row.push(placed);
      bottom = Math.max(bottom, placed.y + height + SIZES.foot);
      column += 1;
    } else {
      // A frame takes the rest of its row, so that what comes into it later has room.
      const wanted = Math.min(2, entry.entries.length, columns);
      if (column > 0 && columns - column < wanted) newRow();
      const x = xOf(column) - (column === 0 ? 0 : 6);
      const frame = { entry, x, y: y + 8, width: left + width - x };
      near.frames.push({ ...frame, height: 0 });
      const at = near.frames.length - 1;
      const end = placeRows(entry.entries, near, {
        ...{ x: x + SIZES.frame.pad, y: frame.y + SIZES.frame.top, width: frame.width - 2 * SIZES.frame.pad, phone },
      });
      const height = end - frame.y;
      near.frames[at] = { ...frame, height };
      bottom = Math.max(bottom, frame.y + height + SIZES.frame.bottom);
      column = columns;
    }
  }
  return bottom + bracketsBelow(row, near.brackets, bottom);
}

/** Adds brackets below a row, and returns their height. */
function bracketsBelow(row: readonly PlacedCard[], brackets: Bracket[], y: number): number {
  let any = false;
  for (const cards of Map.groupBy(row, ({ entry }) => entry.calls[0].wave).values()) {
    const [first, last] = [cards[0], cards.at(-1)];
    if (!first || !last || first === last) continue;
    const x = first.x + first.width / 2;
    brackets.push({ id: first.entry.id, x, y: y - 1, width: last.x + last.width / 2 - x });
    any = true;
  }
  return any ? SIZES.bracket : 0;
}

/** More marks than these of equal calls in a row become one, with their number. */
const MOST_MARKS = 12;
const LETTER = 5.8;
/** Where marks without labels begin. */
const FIRST_LINE = 7;

/** How wide a run's message is from afar; the marks begin there. */
export function wordsWidth(width: number): number {
  return Math.min(SIZES.far.words, width * SIZES.far.share);
}

function placeFar(band: Band, { width }: Settings): PlacedBand {
  const { far } = SIZES;
  const left = wordsWidth(width);
  const room = Math.max(far.step * 4, width - left - far.side);
  const runs = equalRuns(band.calls, Math.min(MOST_MARKS, Math.floor(room / far.step)));
  const marks = inOneLine(runs, left, room, true) ?? inOneLine(runs, left, room, false) ?? wrap(runs, left, room);
  const lowest = Math.max(...marks.map(({ y }) => y), 0);
  const height = band.calls.length === 0 ? far.line : marks[0]?.labelled ? far.band : lowest + far.line;
  return { band, height, cards: [], frames: [], brackets: [], thens: [], marks };
}

interface EqualRun {
  calls: readonly MapCall[];
  name: string;
  merged: boolean;
}

/** Equal neighbours share a label; more than `most` become one mark. A failure stands alone. */
function equalRuns(calls: readonly MapCall[], most: number): EqualRun[] {
  const runs: MapCall[][] = [];
  for (const call of calls) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isEqual =
      before !== undefined &&
      before.tool === call.tool &&
      before.run_id === call.run_id &&
      hasFailed(before) === hasFailed(call);
    if (run && isEqual) run.push(call);
    else runs.push([call]);
  }
  return runs.map((run) => ({
    calls: run,
    name: run[0]?.tool ?? "",
    merged: run.length > most,
  }));
}

/** All in one line, with labels or without; null if they do not fit. */
function inOneLine(runs: readonly EqualRun[], left: number, room: number, labelled: boolean): MarkGroup[] | null {
  const { far } = SIZES;
  let x = left;
  const groups: MarkGroup[] = [];
  for (const run of runs) {
    const marks = (run.merged ? 1 : run.calls.length) * far.step;
    const label = labelled ? Math.min(110, (run.name.length + (run.calls.length > 1 ? 4 : 0)) * LETTER + 8) : 0;
    const width = Math.max(marks, label + (run.merged ? 8 : 0), run.merged ? 34 : 0);
    groups.push({ id: keyOfRun(run), ...run, x, y: labelled ? 6 : FIRST_LINE, width, labelled });
    x += width + (labelled ? 6 : 0);
  }
  return x - left <= room ? groups : null;
}

/** Several lines of marks without labels. */
function wrap(runs: readonly EqualRun[], left: number, room: number): MarkGroup[] {
  const { far } = SIZES;
  const groups: MarkGroup[] = [];
  let x = left;
  let y = FIRST_LINE;
  for (const run of runs) {
    const width = run.merged ? 34 : run.calls.length * far.step;
    if (x > left && x + width > left + room) {
      x = left;
      y += far.line;
    }
    groups.push({ id: keyOfRun(run), ...run, x, y, width, labelled: false });
    x += width;
  }
  return groups;
}

function keyOfRun({ calls: [first] }: EqualRun): string {
  return first ? keyOf(first) : "";
}
