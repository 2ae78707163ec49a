import type { DialogEdge, DialogGraph } from "./dialog-graph.ts";

/** A node, or the point where an edge passes a layer. */
export type Item = { kind: "node"; id: string } | { kind: "pass"; edge: DialogEdge };

/** The segment of an edge between two layers. */
export interface Leg {
  edge: DialogEdge;
  layer: number;
  from: number;
  to: number;
  /** It is the edge's first segment, with its label, or its last, with its arrowhead. */
  first: boolean;
  last: boolean;
}

export interface Layers {
  layers: Item[][];
  legs: Leg[];
}

/** Ordering passes; small graphs settle at once. */
const ROUNDS = 4;

/**
 * A layered layout (Sugiyama): each node is one layer below its lowest predecessor, edges pass through the layers
 * between their ends, and layers are ordered to avoid crossings. Back edges are not drawn.
 */
export function layersOf({ nodes, edges }: DialogGraph): Layers {
  const depth = depthsOf(
    nodes.map(({ id }) => id),
    edges,
  );
  const drawn = edges.filter(({ from, to }) => (depth.get(from) ?? 0) < (depth.get(to) ?? 0));
  const layers: Item[][] = Array.from({ length: Math.max(0, ...depth.values()) + 1 }, () => []);
  // Edges pass a layer where their ends would be: both are added in node order.
  for (const { id } of nodes) {
    for (const edge of drawn.filter(({ to }) => to === id))
      for (let layer = (depth.get(edge.from) ?? 0) + 1; layer < (depth.get(id) ?? 0); layer += 1)
        layers[layer]?.push({ kind: "pass", edge });
    layers[depth.get(id) ?? 0]?.push({ kind: "node", id });
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let layer = 1; layer < layers.length; layer += 1) order(layers, layer, layer - 1, drawn);
    for (let layer = layers.length - 2; layer >= 0; layer -= 1) order(layers, layer, layer + 1, drawn);
  }
  return { layers, legs: legsOf(layers, drawn, depth) };
}

/** The longest path to each node; on a cycle it counts from its entry. */
function depthsOf(ids: readonly string[], edges: readonly DialogEdge[]): Map<string, number> {
  const depth = new Map(ids.map((id) => [id, 0]));
  const sink = (id: string, above: readonly string[]): void => {
    for (const { from, to } of edges) {
      const next = (depth.get(id) ?? 0) + 1;
      if (from !== id || above.includes(to) || to === id || !depth.has(to) || (depth.get(to) ?? 0) >= next) continue;
      depth.set(to, next);
      sink(to, [...above, id]);
    }
  };
  const led = new Set(edges.map(({ to }) => to));
  for (const id of ids) if (!led.has(id)) sink(id, []);
  return depth;
}

/** Orders a layer by the barycenter of each item's neighbours. */
function order(layers: Item[][], layer: number, beside: number, edges: readonly DialogEdge[]): void {
  const items = layers[layer] ?? [];
  const others = layers[beside] ?? [];
  const middle = new Map(
    items.map((item, index) => {
      const places = others.flatMap((other, place) => (areJoined(item, other, edges) ? [place] : []));
      const sum = places.reduce((total, place) => total + place, 0);
      // Layers are centered, whatever their lengths.
      return [item, places.length === 0 ? index - items.length / 2 : sum / places.length - (others.length - 1) / 2];
    }),
  );
  items.sort((a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0));
}

function areJoined(item: Item, other: Item, edges: readonly DialogEdge[]): boolean {
  return edges.some((edge) => isOn(item, edge) && isOn(other, edge));
}

function isOn(item: Item, edge: DialogEdge): boolean {
  return item.kind === "pass" ? item.edge === edge : item.id === edge.from || item.id === edge.to;
}

function legsOf(layers: readonly Item[][], edges: readonly DialogEdge[], depth: ReadonlyMap<string, number>): Leg[] {
  const placeOf = (layer: number, edge: DialogEdge, id: string) =>
    (layers[layer] ?? []).findIndex((item) => (item.kind === "pass" ? item.edge === edge : item.id === id));
  return edges.flatMap((edge) => {
    const top = depth.get(edge.from) ?? 0;
    const bottom = depth.get(edge.to) ?? 0;
    return Array.from({ length: bottom - top }, (_, step): Leg => {
      const layer = top + step;
      const first = step === 0;
      const last = layer + 1 === bottom;
      return {
        ...{ edge, layer, first, last },
        from: placeOf(layer, edge, first ? edge.from : ""),
        to: placeOf(layer + 1, edge, last ? edge.to : ""),
      };
    });
  });
}
