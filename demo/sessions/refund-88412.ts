import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { Story } from "./story.ts";
import { MINUTE, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    title: "Refund 88412",
    instruction:
      "You refund orders for an online shop. Check the order, refund the payment, tell the customer. Never refund twice.",
    asks: "Refund order 88412 in full: the parcel was lost on its way.",
    reasoning: "The carrier confirms the loss, so the whole amount goes back.",
    hub: "Leipzig hub",
    refused:
      "I could not refund order 88412: the payment provider answered *insufficient funds* three times. Nothing was refunded and nothing was mailed; top up the payout balance and run this again.",
    failed: "payments.refund: 402 insufficient_funds after 3 tries",
  },
  ru: {
    title: "Возврат 88412",
    instruction:
      "Ты оформляешь возвраты интернет-магазина. Проверь заказ, верни оплату, сообщи покупателю. Никогда не возвращай дважды.",
    asks: "Верни всю сумму по заказу 88412: посылка потерялась в пути.",
    reasoning: "Перевозчик подтверждает потерю, поэтому возвращаем всю сумму.",
    hub: "узел в Подольске",
    refused:
      "Вернуть оплату заказа 88412 не удалось: платёжный сервис трижды ответил *insufficient funds*. Ничего не возвращено и ничего не отправлено; пополните баланс выплат и запустите ещё раз.",
    failed: "payments.refund: 402 insufficient_funds после 3 попыток",
  },
} satisfies Texts;

const NO_MONEY = { code: "402", message: "insufficient_funds" };

/** t.title: the provider fails three times, readers of the receipt are blocked, the run fails. */
export function refund88412(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const about = {
    id: "demo-refund-88412",
    title: t.title,
    channel: "api",
    user: "shop-backend",
    agent: "refund-agent",
    locale,
    instruction: t.instruction,
  };
  return new Story(about, end - 7 * MINUTE)
    .user(t.asks)
    .turn(
      (turn) =>
        turn
          .think(
            1_730,
            [1_104, 196],
            [
              { _tool: "orders.get", _id: "order", order_id: "†input.order_id", _outputPath: "†state.order" },
              {
                _tool: "shipping.trace",
                _id: "trace",
                parcel: "†state.order.parcel",
                _outputPath: "†state.lost || †state.on_its_way",
              },
              {
                _tool: "payments.refund",
                _id: "refund",
                _reasoningForCall: t.reasoning,
                payment: "†state.lost && †state.order.payment",
                amount: "†state.order.total",
                _outputPath: "†state.receipt",
              },
              { _tool: "mail.send", _id: "apologize", eta: "†state.on_its_way", _outputPath: "†state.asked_to_wait" },
              {
                _tool: "mail.send",
                _id: "confirm",
                receipt: "†state.receipt",
                to: "†state.order.email",
                _outputPath: "†state.mailed",
              },
              {
                _tool: "orders.close",
                _id: "close",
                order_id: "†state.order.id",
                refund: "†state.receipt.id",
                _outputPath: "†state.closed",
              },
            ],
          )
          .play({
            order: {
              ms: 210,
              output: { id: "88412", total: 129.5, payment: "pay_5pQ", parcel: "1Z-77", email: "jo@example.com" },
            },
            trace: { ms: 930, output: { lost_at: t.hub, since_days: 16 }, branch: 0 },
            refund: {
              ms: 540,
              error: NO_MONEY,
              tries: [
                { ms: 560, error: NO_MONEY, delay: 2 * SECOND },
                { ms: 610, error: NO_MONEY, delay: 8 * SECOND },
              ],
            },
          })
          .think(1_210, [2_030, 83])
          .say(t.refused)
          .fail({ code: "call_failed", message: t.failed }),
      { input: { order_id: "88412" } },
    )
    .recordedUntil(end);
}
