import type { Texts } from "../texts.ts";
import { type Example, inEachLanguage, NUMBER, object, TEXT, tool } from "./example.ts";

const TEXTS = {
  en: {
    title: "Order 7730: a broken lamp",
    agent: "care-assistant",
    question: "The lamp from order 7730 arrived with a cracked shade. I'd like my money back, please.",
    answer:
      "I'm sorry about the lamp. The card you paid with has been closed, so the bank sent the refund back. I've issued **store credit LUX-88QF over £64** instead and mailed it to you; it never expires. If you'd rather have a bank transfer, send me an IBAN.",
    instruction:
      "You look after customers of a lighting shop. Assess the claim before any money moves, refund to the card that paid, and fall back to store credit. Never pay twice.",
    complaint: "The shade is cracked",
    getOrder: "Reads an order",
    assess: "Decides whether a complaint is covered",
    refund: "Refunds a payment to the card that paid",
    issue: "Issues store credit",
    send: "Mails a customer by a template",
    item: "Lamp Aurea",
    damaged: "Damaged on delivery",
    closed: "The card that paid has been closed",
    refundReason: "The claim is covered, so the money goes back to the card that paid.",
    creditReason: "The card is closed: the refund cannot reach it, and nothing was paid.",
  },
  ru: {
    title: "Заказ 7730: разбитая лампа",
    agent: "Ассистент поддержки",
    question: "Лампа из заказа 7730 пришла с треснувшим абажуром. Верните, пожалуйста, деньги.",
    answer:
      "Жаль, что так вышло с лампой. Карта, которой вы платили, закрыта, и банк отклонил возврат. Вместо него я оформила **сертификат LUX-88QF на 64 €** и отправила его вам на почту; срока у него нет. Если удобнее перевод, пришлите реквизиты.",
    instruction:
      "Ты помогаешь покупателям магазина светильников. Сначала оцени претензию, потом возвращай деньги на карту, с которой платили; если не выходит, предложи сертификат. Никогда не плати дважды.",
    complaint: "Треснул абажур",
    getOrder: "Читает заказ",
    assess: "Решает, обоснована ли претензия",
    refund: "Возвращает оплату на карту",
    issue: "Выдаёт сертификат",
    send: "Отправляет покупателю письмо по шаблону",
    item: "Лампа «Ауреа»",
    damaged: "Повреждено при доставке",
    closed: "Карта, с которой платили, закрыта",
    refundReason: "Претензия обоснована: деньги возвращаются на карту, с которой платили.",
    creditReason: "Карта закрыта: возврат до неё не дойдёт, и ничего не выплачено.",
  },
} satisfies Texts;

const AMOUNT = { ...NUMBER, exclusiveMinimum: 0 };
const ORDER = object({ id: TEXT, item: TEXT, total: AMOUNT, payment: TEXT, email: TEXT });
const CLAIM = object({ claim_id: TEXT, reason: TEXT });

/** A refund whose payment fails: the error goes back to the model, which offers store credit instead. */
export const refundReplan = inEachLanguage(
  TEXTS,
  (t): Example => ({
    id: "demo-example-refund-replan",
    title: t.title,
    channel: "web",
    user: "maya.holt",
    agent: t.agent,
    question: t.question,
    answer: t.answer,
    context: [
      {
        role: "system",
        content: t.instruction,
      },
      { role: "user", content: t.question },
      { type: "input", order_id: "7730", complaint: t.complaint },
    ],
    tools: [
      tool("orders.get", t.getOrder, { order_id: TEXT, _output: ORDER }),
      tool("claims.assess", t.assess, {
        order_id: TEXT,
        complaint: TEXT,
        _output: CLAIM,
      }),
      tool("payments.refund", t.refund, {
        payment: TEXT,
        amount: AMOUNT,
        claim_id: TEXT,
        _output: object({ refund_id: TEXT }),
      }),
      tool("credit.issue", t.issue, {
        email: TEXT,
        amount: AMOUNT,
        claim_id: TEXT,
        _output: object({ code: TEXT, amount: AMOUNT }),
      }),
      tool("mail.send", t.send, {
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
            item: t.item,
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
          output: { claim_id: "cl-204", reason: t.damaged },
          path: "†state.covered",
        }),
      },
      "payments.refund": {
        idempotent: false,
        react: () => ({ ms: 1_240, error: { code: "card_closed", message: t.closed } }),
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
              _reasoningForCall: t.refundReason,
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
              _reasoningForCall: t.creditReason,
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
  }),
);
