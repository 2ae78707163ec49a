import { createStore, type StoreApi } from "zustand/vanilla";
import { asVisit } from "@/components/client/address.ts";
import { ApiProblem } from "@/components/client/api.ts";
import { subscribeLive } from "@/components/client/live.ts";
import type { StudioState } from "@/components/studio/studio-state.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { stepOf } from "@/lib/session/events/event-index-columns.ts";
import type { Summary } from "@/lib/session/session.ts";
import { summarize } from "@/lib/session/summary/summary.ts";
import { WHOLE_STEPS } from "@/lib/session/timeline/levels.ts";
import { type RowChange, RowMaker, withChanges } from "@/lib/session/timeline/rows.ts";
import { nextStep, type StepUnit } from "@/lib/session/timeline/steps.ts";
import { decodeTimeline, rowAt, type TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { type BareView, fromView } from "@/lib/session/view.ts";
import { writeAt } from "./address.ts";
import { LiveTail } from "./live-tail.ts";
import { sessionSource } from "./load-session.ts";
import { LongTimelineLoader } from "./long-timeline.ts";
import { Pace } from "./pace.ts";
import { Player } from "./player.ts";
import { SessionCache } from "./session-cache.ts";
import { WindowLoader } from "./window-loader.ts";

/** The step rests when it has not changed for this time, ms: only then is anything fetched. */
const REST_MS = 120;
/** How long a session is folded in one frame while the step changes, ms. */
const FOLD_MS = 3;

interface StudioStoreOptions {
  conversationId: string;
  /** The rendered view, at `at`. */
  view: BareView;
  /** The view's size in memory, in bytes. */
  weight: number;
  /** The conversation's status after its newest step. */
  now: Summary;
  /** The step in the address; null follows the newest. */
  at: number | null;
  /** The source of a fork. */
  forkedFrom?: Summary["forked_from"];
  /** The message when the server is unreachable; API errors have their own. */
  unreachable: string;
}

export interface StudioReplay {
  store: StoreApi<StudioState>;
  /** How fast panes may follow the current step. */
  pace: Pace;
  /** Loads the timeline and subscribes to the stream until the returned function is called. */
  start(): () => void;
}

/**
 * Creates the studio's store: the only owner of the current step and its session. Sessions are folded in the browser
 * from loaded events; the rest is fetched when the step rests. Live events are folded as they arrive.
 */
export function createStudioStore({
  conversationId,
  view,
  weight,
  now,
  at,
  forkedFrom = null,
  unreachable,
}: StudioStoreOptions): StudioReplay {
  const source = sessionSource(conversationId);
  const cache = new SessionCache(conversationId);
  const session = fromView(view);
  cache.addSession(session, weight);
  let loader = new WindowLoader(cache, source);
  const pace = new Pace();
  let tail: LiveTail | null = null;
  let life = new AbortController();
  let resting: ReturnType<typeof setTimeout> | null = null;
  /** The step around which events are being loaded. */
  let beingLoaded: number | null = null;
  /** Makes rows of live events once the timeline is loaded; earlier ones wait. */
  let rows: RowMaker | null = null;
  let early: SessionEvent[] = [];
  /** Of a session too long for all rows. */
  let longLoader: LongTimelineLoader | null = null;
  let reloading = false;

  const store = createStore<StudioState>((set, get) => ({
    conversationId,
    forkedFrom,
    last: view.last,
    now,
    at: view.at,
    following: at === null,
    playing: false,
    playedRange: null,
    looping: false,
    speed: 1,
    dragging: false,
    session,
    before: null,
    event: null,
    loading: false,
    failure: null,
    connection: "connecting",
    timeline: null,
    long: null,
    making: null,

    seek: (wanted) => goTo(Math.min(Math.max(Math.round(wanted), 0), get().last)),
    jump(to) {
      // The previous step may not be in the address yet.
      writeAt(get());
      asVisit(() => {
        if (typeof to === "number") get().seek(to);
        else to();
        writeAt(get());
      });
    },
    step(unit, direction) {
      get().pause();
      const { timeline, at: from, seek } = get();
      if (unit === "step") seek(from + direction);
      else if (longLoader) get().find(unit, direction, ({ seq }) => seek(seq));
      else {
        const next = timeline && nextStep(timeline, from, unit, direction);
        if (next !== null) seek(next);
      }
    },
    find(unit, direction, then) {
      const { timeline, at: from } = get();
      if (longLoader) return void findFar(longLoader, { at: from, unit, direction }, then);
      const seq = nextStep(timeline ?? [], from, unit, direction);
      const row = seq === null || timeline === null ? undefined : rowAt(timeline, seq);
      if (row) then(row);
    },
    eventsAfter(seq) {
      const events: SessionEvent[] = [];
      for (let next = seq + 1; next <= get().last; next += 1) {
        const event = cache.eventAt(next);
        if (!event) return null;
        events.push(event);
      }
      return events;
    },
    look: (range) => longLoader?.look(range),
    goLive() {
      get().pause();
      goTo(get().last);
    },
    play() {
      if (get().playing) return;
      if (get().last === 0) return;
      const { at: from, playedRange: range } = get();
      if (range && (from < range.from || from >= range.to)) goTo(range.from);
      else if (from === get().last) goTo(0);
      set({ playing: true });
      player.start();
    },
    pause() {
      player.stop();
      set({ playing: false });
    },
    playWithin: (playedRange) => set({ playedRange }),
    setLooping: (looping) => set({ looping }),
    setSpeed: (speed) => set({ speed }),
    setDragging(dragging) {
      set({ dragging });
      if (!dragging) goTo(get().at);
    },
    retry() {
      set({ failure: null });
      if (!get().timeline) void loadTimeline();
      void tail?.closeGap();
      void load();
    },
  }));
  const { getState: get, setState: set } = store;

  const player = new Player({
    place: () => ({ at: get().at, last: playedEnd(), rows: get().timeline ?? [], speed: get().speed }),
    moveTo(next) {
      const { at: now } = get();
      if (!cache.has(now + 1)) {
        if (resting === null && !get().loading) rest();
        return false;
      }
      let reached = now + 1;
      while (reached < next && cache.eventAt(reached + 1)) reached += 1;
      goTo(reached);
      if (reached === playedEnd()) endOfPlay();
      return reached === next;
    },
  });

  function playedEnd(): number {
    const { playedRange, last } = get();
    return Math.min(playedRange?.to ?? last, last);
  }

  function endOfPlay(): void {
    const { playedRange: range, looping } = get();
    if (range && looping && range.to > range.from) goTo(range.from);
    else get().pause();
  }

  function goTo(next: number): void {
    const { last, following, dragging } = get();
    // A drag that left the end follows again when it is over: the panes change a lot.
    show({ at: next, following: next === last && (following || !dragging) });
  }

  /** Shows the session at the current step as far as it is loaded. */
  function show(change: Pick<StudioState, "at" | "following"> | null = null): void {
    if (get().dragging || get().playing) {
      if (change) set(change);
      pace.inTurn(showMoving);
    } else if (pace.isFree(() => show())) pace.measure(() => showNow(change));
    else if (change) set(change);
  }

  /** While the step changes, a session that takes long to fold takes several frames. */
  function showMoving(): void {
    const { at: now } = get();
    const until = performance.now() + FOLD_MS;
    if (cache.has(now) && !cache.sessionAt(now, until)) pace.inTurn(showMoving);
    else showNow(null);
  }

  function showNow(change: Pick<StudioState, "at" | "following"> | null): void {
    const now = change?.at ?? get().at;
    const before = now > 0 ? cache.sessionAt(now - 1) : null;
    const session = cache.sessionAt(now);
    const shown = session ? { session, before } : { before: null };
    set({ ...change, ...shown, event: cache.eventAt(now) });
    if (!get().dragging) longLoader?.near(now);
    if (!isAtHand(now)) return rest();
    if (resting !== null) clearTimeout(resting);
    resting = null;
    if (get().loading) set({ loading: false });
    if (!get().dragging) loader.prefetch(now, get().last);
  }

  function isAtHand(step: number): boolean {
    return cache.has(step) && (step === 0 || (cache.has(step - 1) && cache.eventAt(step) !== null));
  }

  function rest(): void {
    if (resting !== null) clearTimeout(resting);
    resting = setTimeout(() => {
      resting = null;
      // A released pointer ends the drag: parsing a view of 3 MB would block it.
      if (!get().dragging) void load();
    }, REST_MS);
  }

  async function load(): Promise<void> {
    const { at: now, last, playing } = get();
    const wanted = playing ? Math.min(now + 1, last) : now;
    if (isAtHand(wanted) || beingLoaded === wanted) return;
    beingLoaded = wanted;
    set({ loading: true });
    try {
      await loader.load(wanted, () => show());
      if (isAtHand(wanted)) set({ loading: false, failure: null });
    } catch (error) {
      get().pause();
      fail(error);
    } finally {
      if (beingLoaded === wanted) beingLoaded = null;
    }
  }

  function fail(error: unknown): void {
    set({ loading: false, failure: error instanceof ApiProblem ? error.message : unreachable });
  }

  async function findFar(
    loader: LongTimelineLoader,
    asked: { at: number; unit: StepUnit; direction: 1 | -1 },
    then: (row: TimelineRow) => void,
  ): Promise<void> {
    try {
      const seq = await source.next(asked, life.signal);
      const row = seq === null ? null : await loader.rowOf(seq);
      // The reader has moved on.
      if (row && get().at === asked.at) then(row);
    } catch (error) {
      if (!life.signal.aborted) fail(error);
    }
  }

  async function loadTimeline(): Promise<void> {
    try {
      if (get().last > WHOLE_STEPS) {
        longLoader ??= new LongTimelineLoader(source, {
          onChange: (long) => set({ long, timeline: long.parts.flatMap((part) => part.rows), making: null }),
          onMaking: (making) => set({ making }),
          onFailure: (error) => life.signal.aborted || fail(error),
          seqOf: (id) => cache.seqOf(id, get().last),
        });
        await longLoader.load(get().last);
        longLoader.append(early);
        early = [];
        longLoader.near(get().at);
        return;
      }
      const columns = await source.timeline(life.signal);
      const loaded = decodeTimeline(columns);
      rows = RowMaker.after(columns, loaded, (id) => cache.seqOf(id, get().last));
      set({ timeline: loaded });
      addRows(early);
      early = [];
    } catch (error) {
      if (!life.signal.aborted) fail(error);
    }
  }

  function addRows(events: readonly SessionEvent[]): void {
    const { timeline } = get();
    if (longLoader && get().long) return void (longLoader.append(events) || reload());
    if (!timeline || !rows) return void early.push(...events);
    if (timeline.length > 2 * WHOLE_STEPS) return reload();
    const maker = rows;
    // A timeline requested meanwhile may contain some of them.
    const added = events.filter(({ seq }) => seq > timeline.length).map((event) => maker.add(stepOf(event)));
    if (added.length === 0) return;
    const changes = added.flatMap((one): RowChange[] => one.changes);
    set({ timeline: withChanges([...timeline, ...added.map(({ row }) => row)], changes) });
  }

  /** The timeline must be reloaded: too many events, or a gap. */
  function reload(): void {
    if (reloading) return;
    reloading = true;
    void loadTimeline().finally(() => {
      reloading = false;
    });
  }

  /** Applies live events; the current step moves along while following. */
  function append(events: SessionEvent[]): void {
    cache.addEvents(events);
    const { following, last, now } = get();
    const newest = events.at(-1)?.seq ?? last;
    addRows(events);
    set({ last: newest, now: events.filter(({ seq }) => seq > now.last_seq).reduce(summarize, now) });
    if (following) goTo(newest);
  }

  return {
    store,
    pace,
    start() {
      life = new AbortController();
      loader = new WindowLoader(cache, source);
      const live = new LiveTail({ last: () => get().last, apply: append, onFailure: fail }, source);
      tail = live;
      const unsubscribe = subscribeLive(
        { conversationId },
        {
          onEvents: (events) => live.receive(events),
          onConnection(connection) {
            set({ connection });
            if (connection !== "live") return;
            // Events from before the subscription: since the page was rendered, or during a lost connection.
            if (get().failure === null) void live.closeGap();
            else get().retry();
          },
        },
      );
      void loadTimeline();
      loader
        .loadWhole(get().last, () => show())
        .then(
          () => show(),
          (error: unknown) => life.signal.aborted || fail(error),
        );
      return () => {
        unsubscribe();
        live.stop();
        loader.stop();
        longLoader?.stop();
        longLoader = null;
        life.abort();
        player.stop();
        pace.stop();
        if (resting !== null) clearTimeout(resting);
      };
    },
  };
}
