/** The resizable panes, in px. The graph takes the rest. */
export const PANES = ["thread", "inspector", "timeline"] as const;
export type Pane = (typeof PANES)[number];
export type PaneSizes = Record<Pane, number>;
export type Width = "wide" | "medium" | "narrow";

export const DEFAULT_SIZES = {
  wide: { thread: 328, inspector: 356, timeline: 204 },
  // A plan of four waves fits.
  medium: { thread: 280, inspector: 316, timeline: 204 },
  narrow: { thread: 328, inspector: 316, timeline: 173 },
} as const satisfies Record<Width, PaneSizes>;

export const MIN_SIZES = { thread: 260, graph: 420, inspector: 300, timeline: 120 } as const;

const KEY = "obelus-panes";

/** The stored sizes for a window width; defaults for missing or invalid ones. */
export function readSizes(storage: Pick<Storage, "getItem">, width: Width): PaneSizes {
  const stored = parse(storage.getItem(`${KEY}-${width}`));
  const sizes: PaneSizes = { ...DEFAULT_SIZES[width] };
  for (const pane of PANES) {
    const size = typeof stored === "object" && stored !== null ? Reflect.get(stored, pane) : undefined;
    if (typeof size === "number" && size >= MIN_SIZES[pane] && size < 10_000) sizes[pane] = size;
  }
  return sizes;
}

export function writeSizes(storage: Pick<Storage, "setItem">, width: Width, sizes: PaneSizes): void {
  storage.setItem(`${KEY}-${width}`, JSON.stringify(sizes));
}

/** Parses stored sizes; null when they are not JSON. */
function parse(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
