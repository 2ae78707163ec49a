import type { DialogGraph } from "../dialog-graph.ts";

/** The response for the main graph (D1). */
export const MAIN_GRAPH: DialogGraph = {
  nodes: ["START", "detect_stage", "handle_admin", "handle_demo", "handle_demo_setup", "END"].map((id) => ({ id })),
  edges: [
    { from: "START", to: "detect_stage", conditional: false, label: null },
    { from: "detect_stage", to: "handle_admin", conditional: true, label: "admin" },
    { from: "detect_stage", to: "handle_demo", conditional: true, label: "demo" },
    { from: "detect_stage", to: "handle_demo_setup", conditional: true, label: "demo_setup" },
    { from: "handle_admin", to: "handle_demo", conditional: true, label: "switch" },
    { from: "handle_admin", to: "END", conditional: true, label: "end" },
    { from: "handle_demo", to: "END", conditional: false, label: null },
    { from: "handle_demo_setup", to: "END", conditional: false, label: null },
  ],
};
