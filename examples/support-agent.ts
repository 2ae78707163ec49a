import { type Json, ObelusClient, type Run } from "../lib/client/client.ts";

/**
 * A small agent that answers where an order is, and tells Obelus what it does. It has no model, so that it runs anywhere:
 * `node examples/support-agent.ts "Where is order 17?"`
 */

/** What its tools know. */
const ORDERS: Record<string, { parcel: string }> = { "17": { parcel: "P-4711" } };
const PARCELS: Record<string, { at: string; arrives: string }> = { "P-4711": { at: "Berlin", arrives: "tomorrow" } };

const url = process.env.OBELUS_URL ?? "http://127.0.0.1:3000";
const client = new ObelusClient({
  url,
  onTrouble: ({ detail, retry_in_ms }) => console.error(`${detail}; trying again in ${retry_in_ms} ms`),
  onDropped: ({ type, detail }) => console.error(`${type} was not recorded: ${detail}`),
});

const id = `support-${crypto.randomUUID()}`;
console.log(await answer(process.argv[2] ?? "Where is order 17?"));
const { stored } = await client.close();
console.error(`${stored} events are on record: ${url}/conversations/${id}`);

async function answer(text: string): Promise<string> {
  const conversation = client.conversation(id, { title: text, user_id: "alice" });
  const asked = conversation.message("user", text, { user_id: "alice" });
  const run = conversation.run({ agent_id: "support", caused_by: asked, input: { text } });
  try {
    const said = await work(run, text);
    run.says(said);
    run.finished({ text: said });
    return said;
  } catch (error) {
    run.failed(error);
    return "Something went wrong; a colleague will look into it.";
  }
}

async function work(run: Run, text: string): Promise<string> {
  const number = /\d+/.exec(text)?.[0];
  if (number === undefined) return "Which order do you mean? Its number, please.";
  run.write("†state.number", number);
  const order = await carryOut(
    run,
    "orders.find",
    { number },
    { writes: "†state.order", reads: ["†state.number"] },
    () => found(ORDERS[number], `There is no order ${number}`),
  );
  const { parcel } = order;
  const place = await carryOut(
    run,
    "parcels.track",
    { parcel },
    { writes: "†state.place", reads: ["†state.order.parcel"] },
    () => found(PARCELS[parcel], `Nobody knows the parcel ${parcel}`),
  );
  return `Your order is in ${place.at} and arrives ${place.arrives}.`;
}

/** Carries a tool out between the events that tell of it: in front of your own tools this is all there is to add. */
async function carryOut<T extends Json>(
  run: Run,
  tool: string,
  params: Json,
  { writes, reads }: { writes: string; reads: string[] },
  act: () => T | Promise<T>,
): Promise<T> {
  const call = run.call(tool, params, { output_path: writes, reads });
  try {
    const output = await act();
    call.succeeded(output);
    return output;
  } catch (error) {
    call.failed(error);
    throw error;
  }
}

function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(otherwise);
  return value;
}
