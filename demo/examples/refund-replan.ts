import { type Example, NUMBER, object, TEXT, tool } from "./example.ts";

const AMOUNT = { ...NUMBER, exclusiveMinimum: 0 };
const ORDER = object({ id: TEXT, item: TEXT, total: AMOUNT, payment: TEXT, email: TEXT });
const CLAIM = object({ claim_id: TEXT, reason: TEXT });

/** A refund whose payment fails: the error goes back to the model, which offers store credit instead. */
export const refundReplan: Example = {
  id: "demo-example-refund-replan",
  title: "Order 7730: a broken lamp",
  channel: "web",
  user: "maya.holt",
  agent: "care-assistant",
  question: "The lamp from order 7730 arrived with a cracked shade. I'd like my money back, please.",
  answer:
    "I'm sorry about the lamp. The card you paid with has been closed, so the bank sent the refund back. I've issued **store credit LUX-88QF over £64** instead and mailed it to you; it never expires. If you'd rather have a bank transfer, send me an IBAN.",
  context: [
    {
      role: "system",
      content:
        "You look after customers of a lighting shop. Assess the claim before any money moves, refund to the card that paid, and fall back to store credit. Never pay twice.",
    },
    { role: "user", content: "The lamp from order 7730 arrived with a cracked shade. I'd like my money back, please." },
    { type: "input", order_id: "7730", complaint: "The shade is cracked" },
  ],
  tools: [
    tool("orders.get", "Reads an order", { order_id: TEXT, _output: ORDER }),
    tool("claims.assess", "Decides whether a complaint is covered", {
      order_id: TEXT,
      complaint: TEXT,
      _output: CLAIM,
    }),
    tool("payments.refund", "Refunds a payment to the card that paid", {
      payment: TEXT,
      amount: AMOUNT,
      claim_id: TEXT,
      _output: object({ refund_id: TEXT }),
    }),
    tool("credit.issue", "Issues store credit", {
      email: TEXT,
      amount: AMOUNT,
      claim_id: TEXT,
      _output: object({ code: TEXT, amount: AMOUNT }),
    }),
    tool("mail.send", "Mails a customer by a template", {
      to: TEXT,
      template: { enum: ["refund", "store-credit", "declined"] },
      reference: TEXT,
      _output: object({ message_id: TEXT }),
    }),
  ],
  plan: null,
  output_schema: object({
    resolution: { enum: ["refund", "store-credit", "declined"] },
    reference: TEXT,
    amount: NUMBER,
  }),
  outside: {
    "orders.get": {
      idempotent: true,
      react: ({ order_id }) => ({
        ms: 230,
        output: {
          id: order_id ?? "",
          item: "Lamp Aurea",
          total: 64,
          payment: "pay_7Kd",
          email: "maya.holt@example.com",
        },
      }),
    },
    "claims.assess": {
      idempotent: true,
      react: () => ({
        ms: 610,
        output: { claim_id: "cl-204", reason: "Damaged on delivery" },
        path: "†state.covered",
      }),
    },
    "payments.refund": {
      idempotent: false,
      react: () => ({ ms: 1_240, error: { code: "card_closed", message: "The card that paid has been closed" } }),
    },
    "credit.issue": {
      idempotent: false,
      react: ({ amount }) => ({ ms: 380, output: { code: "LUX-88QF", amount: amount ?? 0 } }),
    },
    "mail.send": { idempotent: false, react: () => ({ ms: 290, output: { message_id: "ml-66120" } }) },
  },
  said: [
    {
      ms: 3_400,
      input_tokens: 2_214,
      output_tokens: 268,
      answer: {
        calls: [
          { _tool: "orders.get", _id: "order", order_id: "†input.order_id", _outputPath: "†state.order" },
          {
            _tool: "claims.assess",
            _id: "claim",
            order_id: "†state.order.id",
            complaint: "†input.complaint",
            _outputPath: "†state.covered || †state.declined",
          },
          {
            _tool: "payments.refund",
            _id: "refund",
            _reasoningForCall: "The claim is covered, so the money goes back to the card that paid.",
            payment: "†state.covered && †state.order.payment",
            amount: "†state.order.total",
            claim_id: "†state.covered.claim_id",
            _outputPath: "†state.receipt",
          },
          {
            _tool: "mail.send",
            _id: "confirm",
            to: "†state.order.email",
            template: "refund",
            reference: "†state.receipt.refund_id",
            _outputPath: "†state.mailed",
          },
          {
            _tool: "mail.send",
            _id: "decline",
            to: "†state.order.email",
            template: "declined",
            reference: "†state.declined.claim_id",
            _outputPath: "†state.mailed",
          },
        ],
        output: null,
      },
    },
    {
      ms: 2_700,
      input_tokens: 2_873,
      output_tokens: 221,
      answer: {
        calls: [
          { _tool: "orders.get", _id: "order", order_id: "†input.order_id", _outputPath: "†state.order" },
          {
            _tool: "credit.issue",
            _id: "credit",
            _reasoningForCall: "The card is closed: the refund cannot reach it, and nothing was paid.",
            email: "†state.order.email",
            amount: "†state.order.total",
            claim_id: "†state.covered.claim_id",
            _outputPath: "†state.credit",
          },
          {
            _tool: "mail.send",
            _id: "offer",
            to: "†state.order.email",
            template: "store-credit",
            reference: "†state.credit.code",
            _outputPath: "†state.mailed",
          },
        ],
        output: { resolution: "store-credit", reference: "†state.credit.code", amount: "†state.credit.amount" },
      },
    },
  ],
};
