import { type ConversationState, conversationState } from "./conversation-state.ts";
import { detectStage, handleAdmin, handleDemo, handleDemoSetup } from "./nodes.ts";
import { NODES, type Walk } from "./walk.ts";

/** The main graph as people look at it. */
export interface GraphDrawing {
  nodes: { id: string }[];
  edges: {
    from: string;
    to: string;
    /** It depends on the state whether the turn takes it. */
    conditional: boolean;
    /** The condition; null if there is none. */
    label: string | null;
  }[];
}

/** Says in which order agents speak in a turn (D1): `START → detect_stage → (admin | demo | demo_setup) → END`. */
export interface MainGraph {
  /** Goes from the beginning as far as the walk leads, and gives the state there. Throws what the nodes throw. */
  run(state: ConversationState, walk: Walk): Promise<ConversationState>;
  draw(): Promise<GraphDrawing>;
}

/**
 * The graph is made when it is needed first, and once (D12): LangGraph costs a third of a second and tens of megabytes,
 * which a server without stages should not pay.
 */
export function createMainGraph(): MainGraph {
  let made: ReturnType<typeof compile> | null = null;

  function graph(): ReturnType<typeof compile> {
    made ??= compile();
    return made;
  }

  return {
    async run(state, walk) {
      return (await graph()).invoke(state, { context: { walk } });
    },
    async draw() {
      const drawing = await (await graph()).getGraphAsync();
      return {
        nodes: Object.values(drawing.nodes).map(({ id }) => ({ id: nameOf(id) })),
        edges: drawing.edges.map(({ source, target, conditional = false, data = null }) => ({
          ...{ from: nameOf(source), to: nameOf(target) },
          conditional,
          label: data,
        })),
      };
    },
  };
}

/** By these LangGraph sends what runs in it to LangSmith, or writes it to the console: a dialog goes nowhere else. */
const TRACING = [
  "LANGSMITH_TRACING",
  "LANGSMITH_TRACING_V2",
  "LANGCHAIN_TRACING",
  "LANGCHAIN_TRACING_V2",
  "LANGCHAIN_VERBOSE",
];

async function compile() {
  for (const name of TRACING) delete process.env[name];
  const { Annotation, END, START, StateGraph } = await import("@langchain/langgraph/web");
  const context = Annotation.Root({ walk: Annotation<Walk> });
  return new StateGraph(conversationState, context)
    .addNode(NODES.detect, inWalk(detectStage))
    .addNode(NODES.admin, inWalk(handleAdmin))
    .addNode(NODES.demo, inWalk(handleDemo))
    .addNode(NODES.setup, inWalk(handleDemoSetup))
    .addEdge(START, NODES.detect)
    .addConditionalEdges(NODES.detect, ({ stage }) => stage ?? "admin", {
      admin: NODES.admin,
      demo: NODES.demo,
      demo_setup: NODES.setup,
    })
    .addConditionalEdges(NODES.admin, ({ stage }) => (stage === "admin" ? "end" : "demo"), {
      demo: NODES.demo,
      end: END,
    })
    .addEdge(NODES.demo, END)
    .addEdge(NODES.setup, END)
    .compile();
}

/** A node as LangGraph calls it: it hands out the walk that the graph was begun with. */
function inWalk(node: (state: ConversationState, walk: Walk) => Partial<ConversationState>) {
  return (state: ConversationState, { context }: { context?: { walk: Walk } }) => {
    if (!context) throw new Error("The main graph was begun without a walk");
    return node(state, context.walk);
  };
}

/** LangGraph's own names for the beginning and the end. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ["__start__", "START"],
  ["__end__", NODES.end],
]);

function nameOf(id: string): string {
  return ENDS.get(id) ?? id;
}
