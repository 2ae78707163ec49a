import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import { historyMessage } from "../../lib/prompt/history/from-messages.ts";
import type { HistoryMessage } from "../../lib/prompt/prompt.ts";
import { MemoryKeeper } from "./memory-keeper.ts";
import { type Draft, Recording, type RunName } from "./recording.ts";
import { type About, Turn } from "./turn.ts";

/** The turns of an agent; `directed`: with the main graph (D1). */
interface As {
  agent?: string;
  input?: ConstructorParameters<typeof Turn>[3];
  directed?: boolean;
}

/** Builds a recorded conversation from its start to its end; the clock only moves forward. */
export class Story {
  readonly #about: About;
  readonly #recording: Recording;
  readonly #memory: MemoryKeeper | null;
  readonly #history: HistoryMessage[] = [];
  #at: number;
  #runs = 0;
  #messages = 0;
  /** The cause of the next turn. */
  #cause: Draft;

  /** Starts at `at`, epoch ms. */
  constructor(about: About, at: number) {
    const { id, title, channel, user, agent, remembers = false } = about;
    this.#about = about;
    this.#at = at;
    this.#recording = new Recording(id);
    this.#memory = remembers ? new MemoryKeeper() : null;
    const created = { title, channel, agent_id: agent, ...(user !== null && { user_id: user }) };
    this.#cause = this.#recording.add(at, "conversation.created", created, { actor: "system" });
  }

  /** Advances the clock. */
  later(ms: number): this {
    this.#at += ms;
    return this;
  }

  user(text: string): this {
    const { user } = this.#about;
    this.#cause = this.#say("user", text, user, `user:${user}`);
    return this;
  }

  /** A manager's message to the user. */
  operator(name: string, text: string): this {
    this.#cause = this.#say("operator", text, name, `operator:${name}`);
    return this;
  }

  takenOver(by: string): this {
    this.#cause = this.#recording.add(
      this.#tick(),
      "conversation.taken_over",
      { by },
      { actor: `operator:${by}`, cause: this.#cause },
    );
    return this;
  }

  handedBack(by: string): this {
    this.#cause = this.#recording.add(
      this.#tick(),
      "conversation.handed_back",
      { by },
      { actor: `operator:${by}`, cause: this.#cause },
    );
    return this;
  }

  stage(from: string | null, to: string): this {
    this.#cause = this.#recording.add(
      this.#tick(),
      "stage.changed",
      { from, to },
      { actor: "system", cause: this.#cause },
    );
    return this;
  }

  /** The agent's turn; `tell` records it. It is finished at the end unless it waits or has ended otherwise. */
  turn(tell: (turn: Turn) => void, as: As = {}): this {
    this.#runs += 1;
    const agentId = as.agent ?? this.#about.agent;
    const run: RunName = { id: `${this.#about.id}:run-${this.#runs}`, parentId: null, agentId };
    const said = (text: string, cause: Draft, at: number, by: RunName) => {
      this.#at = at;
      return this.#say("assistant", text, by.agentId, `agent:${by.agentId}`, { run: by, cause });
    };
    const directedBy = as.directed ? this.#messageId() : null;
    const turn = new Turn(
      this.#about,
      { recording: this.#recording, run, history: this.#history, memory: this.#memory, say: said, directedBy },
      this.#tick(),
      as.input,
      this.#cause,
    );
    tell(turn);
    this.#cause = turn.end();
    this.#at = turn.at;
    return this;
  }

  /** The conversation up to `until`, epoch ms. */
  recordedUntil(until: number): ImportedConversation {
    this.#memory?.tell(this.#recording, this.#about);
    return this.#recording.finish(until);
  }

  #say(
    role: "user" | "assistant" | "operator",
    content: string,
    name: string | null,
    actor: string,
    from: { run?: RunName; cause: Draft | null } = { cause: role === "operator" ? this.#cause : null },
  ): Draft {
    this.#messages += 1;
    const at = this.#tick();
    const id = this.#messageId();
    this.#history.push(historyMessage({ id, role, content, name, at: new Date(at).toISOString() }));
    const payload = {
      message_id: id,
      role,
      content,
      ...(name !== null && { name }),
    };
    return this.#recording.add(at, "message.created", payload, { actor, ...from });
  }

  /** Of the newest message. */
  #messageId(): string {
    return `${this.#about.id}:m${this.#messages}`;
  }

  #tick(): number {
    this.#at += 40;
    return this.#at;
  }
}
