import { printCalls } from "@/lib/plan/edit/print-call.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Draft } from "./documents.ts";
import { printList } from "./print-documents.ts";

type ExampleName = "parcel" | "fanout" | "fallback" | "delegate";

/** An example plan. Its tools are latent: the results are in the calls. */
interface Example {
  name: ExampleName;
  draft: Draft;
}

const text = { type: "string" };
const number = { type: "number" };

function object(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties) };
}

function tool(name: string, description: string, parameters: JsonObject, output: JsonObject): JsonObject {
  const schema = { ...object(parameters), properties: { ...parameters, _output: output } };
  return { name, description, schema };
}

function draft(plan: JsonObject[], context: JsonObject[], tools: JsonObject[]): Draft {
  return { plan: printCalls(plan), context: printList(context), tools: printList(tools) };
}

const orderTool = tool(
  "orders.get",
  "Reads an order",
  { id: text },
  object({ number: text, total: number, parcel: text, payment: text }),
);
const ORDER = { number: "1842", total: 129.9, parcel: "P-77", payment: "pay-9" };

/** A branch: the parcel is lost or on its way. */
const parcel = draft(
  [
    { _tool: "orders.get", _id: "order", id: "†input.order_id", _output: ORDER, _outputPath: "†state.order" },
    {
      _tool: "parcels.trace",
      _id: "trace",
      parcel: "†state.order.parcel",
      _output: { text: "Not seen since Monday" },
      _outputPath: "†state.lost || †state.on_its_way",
    },
    {
      _tool: "payments.refund",
      _id: "refund",
      payment: "†state.lost && †state.order.payment",
      _output: { text: "129.90 is on its way back" },
      _outputPath: "†state.receipt || †state.refund_error",
    },
    {
      _tool: "mail.send",
      _id: "mail",
      text: "†state.receipt.text || †state.on_its_way.text",
      _output: { sent: true },
      _outputPath: "†state.mail",
    },
  ],
  [{ type: "input", input: { order_id: "1842" } }],
  [
    orderTool,
    tool("parcels.trace", "Finds out where a parcel is", { parcel: text }, object({ text })),
    tool("payments.refund", "Gives a payment back", { payment: text }, object({ text })),
    tool("mail.send", "Writes to the customer", { text }, object({ sent: { type: "boolean" } })),
  ],
);

/** A fan-out: one result for several parallel readers, and a gate that waits for two of them. */
const fanout = draft(
  [
    {
      _tool: "meter.read",
      _id: "reading",
      meter: "†input.meter",
      _output: { kwh: 412, at: "2026-11-20" },
      _outputPath: "†state.reading && †state.archive.latest",
    },
    {
      _tool: "tariff.find",
      _id: "tariff",
      region: "†input.region",
      _output: { price: 0.31 },
      _outputPath: "†state.tariff",
    },
    {
      _tool: "bill.draft",
      _id: "bill",
      kwh: "†state.reading.kwh",
      price: "†state.tariff.price",
      _output: { total: 127.72 },
      _outputPath: "†state.bill",
    },
    {
      _tool: "leak.check",
      _id: "leak",
      kwh: "†state.reading.kwh",
      _output: { suspicious: false },
      _outputPath: "†state.leak",
    },
    {
      _tool: "report.write",
      _id: "report",
      total: "†state.leak && †state.bill.total",
      _output: { text: "412 kWh, 127.72" },
      _outputPath: "†state.report",
    },
  ],
  [{ type: "input", input: { meter: "M-204", region: "north" } }],
  [
    tool("meter.read", "Reads a meter", { meter: text }, object({ kwh: number, at: text })),
    tool("tariff.find", "Finds a region's tariff", { region: text }, object({ price: number })),
    tool("bill.draft", "Drafts a bill", { kwh: number, price: number }, object({ total: number })),
    tool(
      "leak.check",
      "Tells whether a reading is suspicious",
      { kwh: number },
      object({ suspicious: { type: "boolean" } }),
    ),
    tool("report.write", "Writes a report", { total: number }, object({ text })),
  ],
);

/** A fallback: the first source that answers is used, and an error leads to the next. */
const fallback = draft(
  [
    {
      _tool: "rates.bank",
      _id: "bank",
      currency: "†input.currency",
      _output: { rate: 92.4 },
      _outputPath: "†state.bank || †state.bank_error",
    },
    {
      _tool: "rates.market",
      _id: "market",
      currency: "†input.currency",
      why: "†state.bank_error.message",
      _output: { rate: 93.1 },
      _outputPath: "†state.market",
    },
    {
      _tool: "price.convert",
      _id: "price",
      rate: "†state.bank.rate || †state.market.rate",
      amount: 250,
      _output: { amount: 23100 },
      _outputPath: "†state.price",
    },
  ],
  [{ type: "input", input: { currency: "USD" } }],
  [
    tool("rates.bank", "The bank's rate", { currency: text }, object({ rate: number })),
    tool("rates.market", "The market's rate", { currency: text, why: text }, object({ rate: number })),
    tool("price.convert", "Converts an amount", { rate: number, amount: number }, object({ amount: number })),
  ],
);

/** A delegate: a saved request executes a call with the given input only. */
const delegate = draft(
  [
    {
      _tool: "letters.latest",
      _id: "letter",
      customer: "†input.customer",
      _output: { body: "Wo ist meine Bestellung?" },
      _outputPath: "†state.letter",
    },
    {
      _tool: "letters.translate",
      _id: "translate",
      _delegate: "translator",
      _scopes: ["state"],
      language: "en",
      letter: "†state.letter.body",
      _outputPath: "†state.translation",
    },
    {
      _tool: "tickets.open",
      _id: "ticket",
      text: "†state.translation.text",
      _output: { ticket: "T-51" },
      _outputPath: "†state.ticket",
    },
  ],
  [{ type: "input", input: { customer: "vera" } }],
  [
    tool("letters.latest", "The newest letter of a customer", { customer: text }, object({ body: text })),
    tool(
      "letters.translate",
      "Translates a letter",
      { language: text, letter: text },
      object({ text, language: text }),
    ),
    tool("tickets.open", "Opens a ticket", { text }, object({ ticket: text })),
  ],
);

export const EXAMPLES: readonly Example[] = [
  { name: "parcel", draft: parcel },
  { name: "fanout", draft: fanout },
  { name: "fallback", draft: fallback },
  { name: "delegate", draft: delegate },
];
