import type { StoreApi } from "zustand/vanilla";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { Lane, LaneBox } from "@/lib/session/timeline/lanes/layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import type { Axis } from "@/lib/session/timeline/scale/axis.ts";
import {
  FITTED,
  type Projection,
  panBy,
  placeAt,
  project,
  showBetween,
  stepAt,
  stepsInSight,
  type Viewport,
  xOf,
  xOfPlace,
  zoomAt,
} from "@/lib/session/timeline/scale/projection.ts";
import type { StepRange } from "@/lib/session/timeline/scale/range.ts";
import { rowAt, type TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { drawAllLanes } from "../draw/all-lanes.ts";
import { stripsInSight } from "../draw/axis.ts";
import { drawBookmarks } from "../draw/bookmarks.ts";
import { drawOverview } from "../draw/overview.ts";
import { prepare } from "../draw/prepare.ts";
import { type Hit, hitAt } from "./hit.ts";
import { between, initialViewport } from "./initial-viewport.ts";
import { MessageTexts } from "./message-texts.ts";
import { type Palette, readPalette } from "./palette.ts";
import { placeBrought } from "./place-forks.ts";
import { placeHead } from "./place-head.ts";
import type { Size } from "./use-size.ts";
import type { Words } from "./words.ts";

/** What to draw; changes with session, language and size, not with the current step. */
export interface Scene {
  model: TimelineModel;
  axis: Axis;
  boxes: readonly LaneBox[];
  words: Words;
  /** The clock, epoch ms. */
  now: number;
  /** The selected range of steps; null for none. */
  range: StepRange | null;
  /** The bookmarked steps, in order. */
  bookmarks: readonly number[];
  /** The last step copied from a fork's source; 0 for other conversations. */
  brought: number;
  lanes: Size;
  overview: Size;
}

/** The elements that the chart draws on and moves. */
export interface ChartElements {
  lanes: HTMLCanvasElement;
  overview: HTMLCanvasElement;
  head: HTMLElement;
  flag: HTMLElement;
  veil: HTMLElement;
  range: HTMLElement;
  rangeText: HTMLElement;
  selection: HTMLElement;
  overviewSelection: HTMLElement;
  overviewHead: HTMLElement;
  overviewVeil: HTMLElement;
  brush: HTMLElement;
  /** Its children are positioned at their steps. */
  forks: HTMLElement;
  brought: HTMLElement;
  overviewBrought: HTMLElement;
}

function isSameScene({ boxes, bookmarks, ...rest }: Scene, other: Scene): boolean {
  const areBoxesSame = (box: LaneBox, i: number) => {
    const { lane, top, height, tracks } = other.boxes[i] ?? {};
    return box.lane === lane && box.top === top && box.height === height && box.tracks === tracks;
  };
  return (
    (["model", "axis", "words", "now", "range", "brought", "lanes", "overview"] as const).every(
      (part) => rest[part] === other[part],
    ) &&
    boxes.length === other.boxes.length &&
    boxes.every(areBoxesSame) &&
    bookmarks.length === other.bookmarks.length &&
    bookmarks.every((seq, i) => seq === other.bookmarks[i])
  );
}

/** A selected range extends this far beyond its steps, in pixels. */
const MARK = 4;
/** The delay after a change of the visible range, ms. */
const SIGHT_MS = 120;
/** The distance from the edge at which playback pages the view, and the playhead's position after it, as fractions. */
const EDGE = 0.02;
const AFTER_TURN = { forth: 0.12, back: 0.88, live: 0.85 } as const;

/**
 * The canvas part of the timeline. Zoom and playhead change every frame, so they are here and not in React: lanes are
 * redrawn when the view or the session changes, the playhead only moves elements.
 */
export class Chart {
  readonly #store: StoreApi<StudioState>;
  readonly #texts = new MessageTexts();
  #elements: ChartElements | null = null;
  #scene: Scene | null = null;
  #palette: Palette | null = null;
  #viewport: Viewport = FITTED;
  #projection: Projection | null = null;
  #whole: Projection | null = null;
  /** A range while it is being drawn; else the selected one. */
  #drawn: StepRange | null = null;
  #frame: number | null = null;
  #sight: ReturnType<typeof setTimeout> | null = null;
  #isStale = true;

  constructor(store: StoreApi<StudioState>) {
    this.#store = store;
  }

  /** Draws onto these elements until the returned function is called. */
  attach(elements: ChartElements): () => void {
    this.#elements = elements;
    const repaint = () => {
      this.#palette = null;
      this.#redraw();
    };
    const theme = new MutationObserver(repaint);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    // Redraws text when the fonts are loaded.
    void document.fonts.ready.then(repaint);
    const unsubscribe = this.#store.subscribe((state, before) => {
      // Redrawing takes 7 ms and more: while dragging, messages get their words when the playhead rests.
      if (!state.dragging && this.#texts.learn(state.session)) this.#isStale = true;
      if (state.at !== before.at && !state.dragging) this.#keepInSight(state.at, state.following);
      this.#schedule();
    });
    this.#texts.learn(this.#store.getState().session);
    this.#redraw();
    return () => {
      theme.disconnect();
      unsubscribe();
      if (this.#frame !== null) cancelAnimationFrame(this.#frame);
      this.#frame = null;
      if (this.#sight !== null) clearTimeout(this.#sight);
      this.#elements = null;
    };
  }

  /** Shows a range while it is being drawn; null shows the selected one. */
  showRange(range: StepRange | null): void {
    this.#drawn = range;
    this.#redraw();
  }

  /** Shows exactly the steps of a range. */
  zoomTo({ from, to }: StepRange): void {
    if (this.#scene) this.#look(between(this.#scene, from, to));
  }

  show(scene: Scene): void {
    if (this.#scene && isSameScene(this.#scene, scene)) return;
    // A position on one axis has no meaning on another.
    if (this.#scene?.axis.mode !== scene.axis.mode) this.#viewport = initialViewport(scene, this.#store.getState().at);
    this.#scene = scene;
    this.#look(this.#viewport);
    const { at, following } = this.#store.getState();
    if (following) this.#keepInSight(at, following);
  }

  /** The step nearest to a pixel of the lanes. */
  stepAt(x: number): number {
    const projection = this.#projection;
    return projection ? stepAt(projection, Math.min(Math.max(x, 0), projection.width)) : 0;
  }

  /** The item at a pixel of the lanes. */
  hitAt(x: number, y: number): Hit | null {
    if (!this.#projection || !this.#scene) return null;
    const { model, boxes } = this.#scene;
    return hitAt({ projection: this.#projection, model, boxes }, x, y);
  }

  /** The call whose bar is at a pixel of the lanes. */
  callAt(x: number, y: number): TimelineRow["call"] {
    const hit = this.hitAt(x, y);
    if (hit?.kind !== "bar" || !this.#scene) return null;
    return rowAt(this.#scene.model.rows, hit.from)?.call ?? null;
  }

  /** The whole session is visible. */
  get isFitted(): boolean {
    return this.#projection?.fitted ?? true;
  }

  /** Zooms by a factor around a pixel; by default around the playhead, or the middle if it is not visible. */
  zoomBy(factor: number, x?: number): void {
    const projection = this.#projection;
    if (!projection) return;
    const head = xOf(projection, this.#store.getState().at);
    const isInSight = head >= 0 && head <= projection.width;
    this.#look(zoomAt(projection, factor, x ?? (isInSight ? head : projection.width / 2)));
  }

  panBy(pixels: number): void {
    if (this.#projection) this.#look(panBy(this.#projection, pixels));
  }

  fit(): void {
    this.#look(FITTED);
  }

  /** The visible range within the overview, in pixels of the overview. */
  brush(): { from: number; to: number } {
    if (!this.#projection || !this.#whole) return { from: 0, to: 0 };
    if (this.#projection.fitted) return { from: 0, to: this.#whole.width };
    return {
      from: xOfPlace(this.#whole, placeAt(this.#projection, 0)),
      to: xOfPlace(this.#whole, placeAt(this.#projection, this.#projection.width)),
    };
  }

  /** Shows the range between two pixels of the overview. */
  showBrush(from: number, to: number): void {
    if (!this.#scene || !this.#whole) return;
    const { axis, lanes } = this.#scene;
    this.#look(showBetween(axis, lanes.width, placeAt(this.#whole, from), placeAt(this.#whole, to)));
  }

  /** Scrolls to a step. */
  reveal(seq: number): void {
    this.#keepInSight(seq, false);
  }

  #look(viewport: Viewport): void {
    if (!this.#scene) return;
    const { axis, lanes, overview } = this.#scene;
    this.#viewport = viewport;
    this.#projection = project(axis, lanes.width, viewport);
    this.#whole = project(axis, overview.width, FITTED);
    if (this.#scene.model.long) this.#tellSight();
    this.#redraw();
  }

  /** In a long session, details of the visible range are loaded when it rests. */
  #tellSight(): void {
    if (this.#sight !== null) clearTimeout(this.#sight);
    this.#sight = setTimeout(() => {
      if (this.#projection && this.#elements) this.#store.getState().look(stepsInSight(this.#projection));
    }, SIGHT_MS);
  }

  #keepInSight(at: number, following: boolean): void {
    const projection = this.#projection;
    if (!projection || projection.fitted) return;
    const x = xOf(projection, at);
    const margin = EDGE * projection.width;
    if (x >= margin && x <= projection.width - margin) return;
    const share = following ? AFTER_TURN.live : x < margin ? AFTER_TURN.back : AFTER_TURN.forth;
    this.#look(panBy(projection, x - share * projection.width));
  }

  #redraw(): void {
    this.#isStale = true;
    this.#schedule();
  }

  #schedule(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = null;
      if (!this.#elements || !this.#scene || !this.#projection || !this.#whole) return;
      if (this.#isStale) this.#draw(this.#elements, this.#scene, this.#projection, this.#whole);
      this.#isStale = false;
      const { at } = this.#store.getState();
      placeHead(this.#elements, this.#scene, { at, projection: this.#projection, whole: this.#whole });
    });
  }

  #draw(elements: ChartElements, scene: Scene, projection: Projection, whole: Projection): void {
    this.#palette ??= readPalette(elements.lanes);
    const palette = this.#palette;
    const context = prepare(elements.lanes, scene.lanes);
    const boxes = new Map<Lane, LaneBox>(scene.boxes.map((box) => [box.lane, box]));
    const {
      model,
      words,
      now,
      lanes: { height },
    } = scene;
    const strips = stripsInSight(projection);
    const messages = this.#texts.bySeq;
    drawAllLanes({ context, projection, model, boxes, height, palette, words, now, strips, messages });
    const overview = prepare(elements.overview, scene.overview);
    drawOverview(overview, {
      projection: whole,
      model,
      palette,
      height: scene.overview.height,
    });
    const marks = { steps: scene.bookmarks, color: palette.accent, ground: palette.canvas };
    drawBookmarks(context, { ...marks, projection });
    drawBookmarks(overview, { ...marks, projection: whole });
    this.#placeSelection(elements.selection, projection);
    this.#placeSelection(elements.overviewSelection, whole);
    placeBrought(elements.brought, projection, scene.brought);
    placeBrought(elements.overviewBrought, whole, scene.brought);
    const { from, to } = this.brush();
    elements.brush.hidden = projection.fitted;
    elements.brush.style.transform = `translateX(${from}px)`;
    elements.brush.style.width = `${to - from}px`;
  }

  /** Half a mark more than its steps, at both ends. */
  #placeSelection(element: HTMLElement, projection: Projection): void {
    const range = this.#drawn ?? this.#scene?.range ?? null;
    element.hidden = range === null;
    if (range === null) return;
    const from = Math.max(xOf(projection, range.from) - MARK, -MARK);
    const to = Math.min(xOf(projection, range.to) + MARK, projection.width + MARK);
    element.style.transform = `translateX(${from}px)`;
    element.style.width = `${Math.max(to - from, 0)}px`;
  }
}
