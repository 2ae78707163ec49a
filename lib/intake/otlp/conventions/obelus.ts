import type { Attributes } from "../attributes.ts";
import type { Doing } from "../span.ts";

/** What an agent that knows its state says of it beside any other convention: where a tool's output goes, what it reads. */
export function withState(doing: Doing, attributes: Attributes): Doing {
  if (doing.kind !== "tool") return doing;
  const reads = attributes.json("obelus.reads");
  return {
    ...doing,
    output_path: attributes.text("obelus.output_path"),
    reads: (Array.isArray(reads) ? reads : [reads]).flatMap((path) =>
      typeof path === "string" && path !== "" ? [path] : [],
    ),
    delta: attributes.json("obelus.state.delta") ?? null,
  };
}
