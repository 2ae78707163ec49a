import { type ConversationState, conversationState } from "./conversation-state.ts";
import { detectStage, handleAdmin, handleDemo, handleDemoSetup } from "./nodes.ts";
import { beginWalk, NODES, type Walk, type WalkBeginning, type WalkEnd } from "./walk.ts";

/** The main graph for display. */
export interface GraphDrawing {
  nodes: { id: string }[];
  edges: {
    from: string;
    to: string;
    /** Whether the edge depends on the state. */
    conditional: boolean;
    /** The condition; null if there is none. */
    label: string | null;
  }[];
}

/** The order in which agents answer in a turn (D1): `START → detect_stage → (admin | demo | demo_setup) → END`. */
export interface MainGraph {
  /** Runs from the start as far as recorded answers lead. Throws what the nodes throw. */
  run(beginning: WalkBeginning): Promise<WalkEnd>;
  draw(): Promise<GraphDrawing>;
}

/** Runs the graph where it is called. It is created lazily, once: LangGraph costs half a second and 50 MB. */
export function createMainGraph(): MainGraph {
  let made: ReturnType<typeof compile> | null = null;

  function graph(): ReturnType<typeof compile> {
    made ??= compile();
    return made;
  }

  return {
    async run({ state, ...beginning }) {
      const walk = beginWalk(beginning);
      const reached: ConversationState = await (await graph()).invoke(state, { context: { walk } });
      const asked = walk.asked();
      if (!asked) walk.enter(NODES.end, reached);
      return { asked, answer: reached.answer, events: walk.newEvents() };
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

/** Variables by which LangGraph sends traces to LangSmith or logs them: conversations must not leave the server. */
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

/** A node in LangGraph's form, which passes on the walk that the graph was started with. */
function inWalk(node: (state: ConversationState, walk: Walk) => Partial<ConversationState>) {
  return (state: ConversationState, { context }: { context?: { walk: Walk } }) => {
    if (!context) throw new Error("The main graph was begun without a walk");
    return node(state, context.walk);
  };
}

/** LangGraph's names for start and end. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ["__start__", "START"],
  ["__end__", NODES.end],
]);

function nameOf(id: string): string {
  return ENDS.get(id) ?? id;
}
