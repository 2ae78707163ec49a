import type { Json } from "../../../session/json/json.ts";
import type { ModelDoing, ToolDoing } from "../span.ts";
import type { Node } from "./trace.ts";
import { below, MILLISECOND } from "./tree.ts";

/**
 * Puts models and the tools that they ask for into the order in which they came about, where frameworks nest or start them
 * otherwise. `nodes` are all of a trace, linked, in the order of time.
 */
export function orderCalls(nodes: readonly Node[]): void {
  for (const node of nodes) fillFromDetail(node);
  // From within: a tool below a request within a request leaves both.
  for (const node of nodes.toReversed()) answerBeforeTools(node);
  const places = askedPlaces(nodes);
  for (const node of nodes) if (node.children.length > 1) node.children = inAskedOrder(node.children, places);
}

/** A request within a request is a detail of it (Mastra: a step and its inference): the outer one takes from it what it does not say. */
function fillFromDetail({ doing, parent }: Node): void {
  if (doing.kind !== "model") return;
  let above = parent;
  while (above?.doing.kind === "other") above = above.parent;
  if (above?.doing.kind !== "model") return;
  const outer: ModelDoing = above.doing;
  above.doing = {
    ...outer,
    provider: outer.provider || doing.provider,
    model: outer.model || doing.model,
    response_id: outer.response_id ?? doing.response_id,
    finish_reason: outer.finish_reason ?? doing.finish_reason,
    instructions: outer.instructions ?? doing.instructions,
    input_tokens: outer.input_tokens ?? doing.input_tokens,
    output_tokens: outer.output_tokens ?? doing.output_tokens,
    parameters: { ...doing.parameters, ...outer.parameters },
  };
}

/** Some frameworks have tools within the span of the model that asked (ADK, Mastra): it has answered before the first began. */
function answerBeforeTools(model: Node): void {
  const { parent } = model;
  if (model.doing.kind !== "model" || parent === null) return;
  const using = model.children.filter((child) => toolsIn(child).length > 0);
  const [first] = using.flatMap(toolsIn).toSorted((a, b) => Number(a.span.start - b.span.start));
  if (first === undefined) return;
  if (first.span.start >= model.span.start && first.span.start < model.span.end)
    model.span = { ...model.span, end: first.span.start };
  model.children = model.children.filter((child) => !using.includes(child));
  for (const child of using) child.parent = parent;
  parent.children.splice(parent.children.indexOf(model) + 1, 0, ...using);
}

function toolsIn(root: Node): Node[] {
  return [...below(root, ({ doing }) => doing.kind !== "model")].filter(({ doing }) => doing.kind === "tool");
}

/** Where a call stands among all that the models ask for: by its id, and by what it is. */
function askedPlaces(nodes: readonly Node[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const { doing } of nodes) {
    if (doing.kind !== "model") continue;
    for (const part of doing.output.flatMap(({ parts }) => parts)) {
      if (part.type !== "tool_call") continue;
      const place = places.size;
      for (const key of [part.id ?? "", keyOf(part.name, part.arguments)]) if (!places.has(key)) places.set(key, place);
    }
  }
  return places;
}

function keyOf(tool: string, given: Json): string {
  return `${tool}\n${JSON.stringify(given)}`;
}

/** Tools that begin in the same millisecond one after the other, as the model asked for them: many clocks have no more. */
function inAskedOrder(children: readonly Node[], places: ReadonlyMap<string, number>): Node[] {
  const placeOf = ({ call_id, tool, arguments: given }: ToolDoing) =>
    places.get(call_id ?? keyOf(tool, given)) ?? Number.MAX_SAFE_INTEGER;
  const groups: { at: bigint | null; nodes: { node: Node; place: number }[] }[] = [];
  for (const node of children) {
    const at = node.doing.kind === "tool" ? node.span.start / MILLISECOND : null;
    const one = { node, place: node.doing.kind === "tool" ? placeOf(node.doing) : 0 };
    const last = groups.at(-1);
    if (last && at !== null && last.at === at) last.nodes.push(one);
    else groups.push({ at, nodes: [one] });
  }
  return groups.flatMap(({ nodes }) => nodes.toSorted((a, b) => a.place - b.place).map(({ node }) => node));
}
