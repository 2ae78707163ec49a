import { overrideTool } from "../../plan/schema/tool-schema.ts";
import type { DelegateShape, Toolbox } from "../../plan/tool.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { InvalidInput } from "../errors.ts";
import { callerTool } from "./caller-tool.ts";
import { type DelegateDefinition, type DelegateRegistry, shapeOf } from "./delegate.ts";
import { strongest } from "./effect.ts";
import type { ToolDefinition } from "./tool-definition.ts";
import type { RegisteredTool, ToolRegistry } from "./tools.ts";

/** The delegate without messages, plan and bounds of its own (P27). */
const ANONYMOUS: DelegateDefinition = {
  name: "anonymous",
  description: "An isolated, empty context",
  context: [],
  strict: false,
  writes: [],
};

/** Makes a tool of a request; what is wrong with it is told by its place there. */
function makeAt(index: number, definition: ToolDefinition, tools: ToolRegistry): RegisteredTool {
  try {
    return tools.make(definition);
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    throw new InvalidInput(
      error.message,
      error.faults.map(({ path, message }) => ({ path: `/tools/${index}${path}`, message })),
    );
  }
}

/** Who carries out the tools of a request: the tools of a turn are those of the program that started it. */
export type AnsweredBy = "server" | "caller";

/** `answers`: the user's message that the run answers; null if it is no turn. */
export function answeredBy({ answers }: { answers: unknown }): AnsweredBy {
  return answers === null ? "server" : "caller";
}

/** The later one wins, but never with a lower risk (P2a, M13). */
function laidOver(earlier: RegisteredTool, later: RegisteredTool): RegisteredTool {
  return {
    ...overrideTool(earlier, later),
    guard: later.guard ?? earlier.guard,
    ...(earlier.control === undefined ? {} : { control: earlier.control }),
    effect: strongest([earlier.effect, later.effect]),
  };
}

/** The tools and delegates that one run has. */
export class Toolset implements Toolbox {
  readonly #tools: ToolRegistry;
  readonly #delegates: DelegateRegistry;
  /** Those that came with the request, laid over the server's own (P2a). */
  readonly #own: ReadonlyMap<string, RegisteredTool>;
  readonly #allowed: ReadonlySet<string> | null;

  private constructor(
    tools: ToolRegistry,
    delegates: DelegateRegistry,
    own: ReadonlyMap<string, RegisteredTool>,
    allowed: ReadonlySet<string> | null,
  ) {
    this.#tools = tools;
    this.#delegates = delegates;
    this.#own = own;
    this.#allowed = allowed;
  }

  /** All of the server's, with those of a request laid over them. Throws `InvalidInput` for one that does not hold. */
  static of(
    tools: ToolRegistry,
    delegates: DelegateRegistry,
    definitions: readonly ToolDefinition[],
    answeredBy: AnsweredBy = "server",
  ): Toolset {
    const making = Toolset.making(tools, delegates, definitions, answeredBy);
    for (let made = making.next(); ; made = making.next()) if (made.done) return made.value;
  }

  /** The same tool by tool, for who must not be kept from other things while all their schemas are compiled. */
  static *making(
    tools: ToolRegistry,
    delegates: DelegateRegistry,
    definitions: readonly ToolDefinition[],
    answeredBy: AnsweredBy = "server",
  ): Generator<RegisteredTool, Toolset> {
    const own = new Map<string, RegisteredTool>();
    for (const [index, definition] of definitions.entries()) {
      const plain = makeAt(index, definition, tools);
      const made = answeredBy === "caller" ? callerTool(plain) : plain;
      const earlier = own.get(made.name) ?? tools.find(made.name);
      own.set(made.name, earlier ? laidOver(earlier, made) : made);
      yield made;
    }
    return new Toolset(tools, delegates, own, null);
  }

  /** Of these tools, those that a delegate may use; null for all (P27). */
  only(names: readonly string[] | null): Toolset {
    if (names === null) return this;
    const allowed = names.filter((name) => this.#allowed === null || this.#allowed.has(name));
    return new Toolset(this.#tools, this.#delegates, this.#own, new Set(allowed));
  }

  /** Those that are offered: one that hands a turn over only where it is named (D5). */
  list(): RegisteredTool[] {
    const all = new Map(this.#tools.list().map((tool) => [tool.name, tool]));
    for (const [name, tool] of this.#own) all.set(name, tool);
    return [...all.values()].filter(
      ({ name, control }) => this.#isAllowed(name) && (control !== "hand_over" || this.#allowed !== null),
    );
  }

  tool(name: string): RegisteredTool | undefined {
    return this.#isAllowed(name) ? (this.#own.get(name) ?? this.#tools.find(name)) : undefined;
  }

  delegate(name: string): DelegateShape | undefined {
    const definition = this.definition(name);
    return definition && shapeOf(definition);
  }

  takenBy(tool: string, activity: string | null): JsonObject | undefined {
    return (activity === null ? this.tool(tool)?.handler : this.#tools.activity(activity))?.schema;
  }

  /** A delegate as it was saved; `anonymous` is always there. */
  definition(name: string): DelegateDefinition | undefined {
    return name === ANONYMOUS.name ? ANONYMOUS : this.#delegates.find(name);
  }

  delegates(): DelegateDefinition[] {
    return this.#delegates.list();
  }

  #isAllowed(name: string): boolean {
    return this.#allowed === null || this.#allowed.has(name);
  }
}
