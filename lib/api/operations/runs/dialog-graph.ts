import { z } from "zod";
import type { GraphDrawing } from "../../../dialog/main-graph/main-graph.ts";
import { answerJson } from "../../answers/answer.ts";
import { operation } from "../../operation.ts";

const drawing = z.object({
  nodes: z.array(z.object({ id: z.string().describe("START, END, or a node name as in `stage.entered`.") })),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      conditional: z.boolean().describe("Whether a turn takes it depends on the conversation's state."),
      label: z.string().nullable().describe("The condition; null if there is none."),
    }),
  ),
}) satisfies z.ZodType<GraphDrawing>;

/** Returns the main graph (D1). */
export const drawDialogGraph = operation({
  name: "drawDialogGraph",
  permission: "read",
  method: "GET",
  path: "/api/dialog/graph",
  summary: "Returns the graph of a dialog with stages: which agents speak in a turn.",
  answers: { 200: { description: "Its nodes and edges, as in LangGraph.", schema: drawing } },
  run: async (_input, { mainGraph }) => answerJson(await mainGraph.draw()),
});
