import type { Scene } from "./tool-schemas.ts";

/** What is said to a model about how it is to answer (P19). `latent` names the tools whose result it gives itself. */
export function instructionsFor(ask: "plan" | "text", scene: Scene, latent: readonly string[]): string {
  const sections = [
    ask === "plan" ? ANSWER_WITH_PLAN : ANSWER_WITH_WORDS,
    ROUNDS,
    REFERENCES,
    `Kinds you can read now: ${scene.kinds.map((kind) => `†${kind}`).join(", ")}.`,
    OUTPUT_PATHS,
    SCOPES,
    ...(scene.instances.length > 0 ? [instances(scene.instances)] : []),
    ...(latent.length > 0 ? [latentTools(latent)] : []),
    ...(ask === "plan" ? [FORMAT] : []),
  ];
  return sections.join("\n\n");
}

const ANSWER_WITH_PLAN = `You solve the task by planning calls of tools. Answer with one JSON object {"calls": [...], "output": ...}.
calls: what to run next; each names its tool in _tool and has an _id that is unique in the plan. No calls when there is nothing more to do.
output: the result of the whole task, or null while it is not known. It may hold references, which are read after the calls.`;

const ANSWER_WITH_WORDS = `You solve the task by calling functions, and answer in words when it is done. Functions called in one answer make one plan: they run together, and one that refers to another's result runs after it.`;

const ROUNDS = `The calls run, and you are asked again with the state as it then is, with a message of kind "plan" that tells what came of each call, and with a message {call, error} for each thing that went wrong. Correct what failed. Do not repeat a call that succeeded: what it wrote stays.`;

const REFERENCES = `References. A text that begins with † in the place of a parameter reads a value when the call starts: "†input.customer.id", "†state.order.items[0]", "†state[\\"a key\\"]". A call waits for the calls that write what it reads, so calls that depend on each other belong in one plan, in any order; calls that do not depend on each other run at the same time.
"†a || †b" reads the first that is there: a fallback. "†a && †b" waits for both and reads the last: a gate.
The whole text is the reference: nothing is replaced inside other words. A text that should begin with the sign itself begins with ††.`;

const OUTPUT_PATHS = `Output paths. "_outputPath": "†state.x" writes the call's result there; a result that no later call and no output reads needs none. Only †state can be written, and each path once. "†state" alone writes the result's own keys. "†state.x && †state.y" writes to both.
"†state.receipt || †state.error" is a choice: the result goes to the first, an error {code, message} to the last if its name says error. Calls that read only the one not chosen are skipped, so this is how a plan branches; both branches may write the same path.`;

const SCOPES = `"_scopes" lists the kinds of messages that are passed on with the call. It sees no others.`;

const FORMAT = `A key that you leave out is null. Where the format takes {"_json": "..."}, write the value as JSON text.`;

function instances(names: readonly string[]): string {
  return `Instances. The same plan runs over several contexts that do not see each other: ${names.join(", ")}. A call without _instance runs once for each of them and reads and writes its own; with _instance it runs in that one alone.`;
}

function latentTools(names: readonly string[]): string {
  return `Nobody carries these tools out but you: ${names.join(", ")}. Give the result in _output when you know all that it needs; leave it null when it depends on other calls, and you are asked for it when they have run.`;
}
