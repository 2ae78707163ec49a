/** The main graph as LangGraph draws it (D1): the answer of `GET /api/dialog/graph`. */
export interface DialogGraph {
  nodes: { id: string }[];
  edges: DialogEdge[];
}

/** A way from one node to another; of conditional ones a turn takes one, and `label` says which. */
export interface DialogEdge {
  from: string;
  to: string;
  conditional: boolean;
  label: string | null;
}

/** Where every turn begins and ends. */
export const ENDS = { start: "START", end: "END" } as const;
