import { describe, expect, test } from "vitest";
import type { ShownCallStatus } from "@/components/ui/status.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { levelOf } from "../testing.ts";
import { escapeMermaid, writeMermaid } from "./mermaid.ts";

const PLAN: JsonObject[] = [
  { _tool: "deal.get", _id: "deal", _outputPath: "†state.deal" },
  { _tool: "policy.check", _id: "end", amount: "†state.deal.amount", _outputPath: "†state.ok || †state.no" },
  { _tool: "deal.update", _id: "deal.update", ok: "†state.ok || †message.ok" },
];
const STATUSES = new Map<string, ShownCallStatus>([
  ["deal", "succeeded"],
  ["end", "failed"],
]);

const looks = {
  statusOf: ({ call }: { call: { id: string } }) => STATUSES.get(call.id) ?? "planned",
  wordOf: (status: ShownCallStatus) => status,
  stateOf: () => "done" as const,
};

describe("C4: a plan as Mermaid", () => {
  test("C4: calls are nodes with safe ids, edges have the path, statuses are classes", () => {
    expect(writeMermaid(levelOf(PLAN), looks)).toBe(
      [
        "flowchart LR",
        '  n1["deal.get · deal · succeeded"]',
        '  n2["policy.check · end · failed"]:::failed',
        '  n3["deal.update · planned"]:::planned',
        '  n1 -->|"†state.deal.amount"| n2',
        '  n2 -.->|"†state.ok"| n3',
        "  classDef failed stroke:#c22f2f,stroke-width:2px",
        "  classDef planned stroke-dasharray:2 3",
        "",
      ].join("\n"),
    );
  });

  test("C4: a delegate with calls is a subgraph, expanded or not", () => {
    const level = levelOf([{ _tool: "translate", _id: "t", _delegate: "translator" }]);
    const frame = levelOf([{ _tool: "look.up", _id: "inner" }]);
    const text = writeMermaid({ ...level, nodes: level.nodes.map((node) => ({ ...node, frame })) }, looks);
    expect(text.split("\n").slice(1, 6)).toEqual([
      '  subgraph n1["translate · t · planned"]',
      "    direction LR",
      '    n2["look.up · inner · planned"]:::planned',
      "  end",
      "  class n1 planned",
    ]);
  });

  test("C4: recorded calls follow each other", () => {
    expect(writeMermaid(levelOf(PLAN, true), looks)).toContain("\n  n1 --> n2 --> n3\n");
  });

  test("C4: texts are escaped for Mermaid, HTML and Markdown", () => {
    expect(escapeMermaid('a"b#c;<b>&\n`x`')).toBe("a#34;b#35;c#59;#60;b#62;#38; #96;x#96;");
    expect(escapeMermaid("]--> end %% {x|y}")).toBe("#93;--#62; end #37;#37; #123;x#124;y#125;");
    expect(escapeMermaid("†state.deal[0] Привет")).toBe("†state.deal#91;0#93; Привет");
  });
});
