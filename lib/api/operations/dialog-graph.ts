import { z } from "zod";
import type { GraphDrawing } from "../../dialog/main-graph.ts";
import { answerJson } from "../answer.ts";
import { noBody, noParams, noQuery, operation } from "../operation.ts";

const drawing = z.object({
  nodes: z.array(z.object({ id: z.string().describe("START, END, or a node's name as `stage.entered` tells it.") })),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      conditional: z.boolean().describe("It depends on the conversation's state whether a turn takes it."),
      label: z.string().nullable().describe("What the state says then; null for nothing."),
    }),
  ),
}) satisfies z.ZodType<GraphDrawing>;

/** Draws the main graph (D1). */
export const drawDialogGraph = operation({
  name: "drawDialogGraph",
  permission: "read",
  method: "GET",
  path: "/api/dialog/graph",
  summary: "Answers the graph that says which agents speak in a turn of a dialog with stages.",
  params: noParams,
  query: noQuery,
  body: noBody,
  answers: { 200: { description: "Its nodes and edges, as LangGraph draws them.", schema: drawing } },
  run: async (_input, { mainGraph }) => answerJson(await mainGraph.draw()),
});
