/** The main graph in LangGraph's format (D1): the response of `GET /api/dialog/graph`. */
export interface DialogGraph {
  nodes: { id: string }[];
  edges: DialogEdge[];
}

/** An edge; a turn takes one of several conditional ones, and `label` says which. */
export interface DialogEdge {
  from: string;
  to: string;
  conditional: boolean;
  label: string | null;
}

/** The start and end of every turn. */
export const ENDS = { start: "START", end: "END" } as const;
