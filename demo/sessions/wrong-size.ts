import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { Story } from "./story.ts";
import { DAY, HOUR, MINUTE, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    title: "Order 5521: wrong size",
    instruction: "You help customers of a shoe shop with their orders. Price changes need a person's consent.",
    asksSwap: "The boots from order 5521 are too small. Can I swap them for a 43?",
    soldOut: "boot-navy 43: none left",
    same: "The same boot in black, 43.",
    offer:
      "Navy is sold out in 43, but the same boot in **black** is there. It costs £159, £10 more. [Here is your return label](https://labels.example/5521.pdf). Shall I send the black pair?",
    waive: "Black is fine, but could you waive the £10? It's your stock that ran out.",
    reasoning: "The customer asks for the old price; the shop ran out of the size.",
    description: "Sell the black pair of order 5521 at the old price: £159 → £149",
    manager: "T. Byrne",
    tomorrow: "tomorrow",
    done: "Done: the black pair in 43 ships tomorrow at the old price, £149.",
    thanks: "Brilliant, thank you!",
    welcome: "You're welcome. Enjoy the boots!",
  },
  ru: {
    title: "Заказ 5521: не тот размер",
    instruction: "Ты помогаешь покупателям обувного магазина с заказами. Цены меняй только с согласия человека.",
    asksSwap: "Ботинки из заказа 5521 малы. Можно обменять их на 43-й?",
    soldOut: "boot-navy 43: нет в наличии",
    same: "Такие же ботинки, чёрные, 43-й.",
    offer:
      "Синих 43-го размера больше нет, но есть такие же **чёрные**. Они стоят 15 900 ₽, на 1 000 ₽ дороже. [Вот ярлык для возврата](https://labels.example/5521.pdf). Отправить чёрную пару?",
    waive: "Чёрные подойдут, но можно без доплаты? Размер закончился у вас.",
    reasoning: "Покупатель просит прежнюю цену: размер закончился у магазина.",
    description: "Продать чёрную пару из заказа 5521 по прежней цене: 15 900 → 14 900 ₽",
    manager: "Т. Белова",
    tomorrow: "завтра",
    done: "Готово: чёрная пара 43-го размера уедет завтра по прежней цене, 14 900 ₽.",
    thanks: "Отлично, спасибо!",
    welcome: "Пожалуйста. Носите с удовольствием!",
  },
} satisfies Texts;

/** t.title: an error takes its own branch, a fallback reads either result, an approval is given. */
export function wrongSize(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const about = {
    id: "demo-wrong-size",
    title: t.title,
    channel: "web",
    user: "guest-a730",
    agent: "shop-assistant",
    locale,
    instruction: t.instruction,
  };
  return new Story(about, end - DAY - 3 * HOUR)
    .user(t.asksSwap)
    .turn(
      (turn) =>
        turn
          .think(
            1_540,
            [1_020, 228],
            [
              { _tool: "orders.get", _id: "order", order_id: "†input.order_id", _outputPath: "†state.order" },
              {
                _tool: "stock.reserve",
                _id: "reserve",
                sku: "†state.order.sku",
                size: "†input.size",
                _outputPath: "†state.reserved || †state.error",
              },
              {
                _tool: "stock.alternatives",
                _id: "similar",
                sku: "†state.order.sku",
                because: "†state.error.code",
                _outputPath: "†state.similar",
              },
              { _tool: "shipping.label", _id: "label", order_id: "†state.order.id", _outputPath: "†state.label" },
              {
                _tool: "composeText",
                _id: "offer",
                choice: "†state.reserved || †state.similar",
                label: "†state.label.url",
                _outputPath: "†state.offer",
              },
            ],
          )
          .play({
            order: { ms: 240, output: { id: "5521", sku: "boot-navy", size: 42, paid: 149 } },
            reserve: { ms: 310, error: { code: "out_of_stock", message: t.soldOut }, branch: 1 },
            similar: { ms: 450, output: { sku: "boot-black", size: 43, price: 159 } },
            label: { ms: 820, output: { url: "https://labels.example/5521.pdf" } },
            offer: { ms: 1_300, model: { input: 530, output: 81 }, output: t.same },
          })
          .say(t.offer),
      { input: { order_id: "5521", size: 43 } },
    )
    .later(9 * MINUTE)
    .user(t.waive)
    .turn(
      (turn) =>
        turn
          .think(
            1_690,
            [1_604, 171],
            [
              { _tool: "orders.get", _id: "order", order_id: "5521", _outputPath: "†state.order" },
              {
                _tool: "orders.reprice",
                _id: "reprice",
                _reasoningForCall: t.reasoning,
                order_id: "†state.order.id",
                price: 149,
                _outputPath: "†state.repriced",
              },
              {
                _tool: "orders.exchange",
                _id: "exchange",
                order_id: "†state.repriced && †state.order.id",
                sku: "boot-black",
                size: 43,
                _outputPath: "†state.exchange",
              },
            ],
          )
          .play({
            order: { ms: 220, output: { id: "5521", sku: "boot-black", size: 43, price: 159 } },
            reprice: {
              ms: 330,
              output: { id: "5521", price: 149 },
              asks: {
                key: "order_5521_price",
                description: t.description,
                decision: { after: 3 * MINUTE + 20 * SECOND, by: t.manager },
              },
            },
            exchange: { ms: 560, output: { id: "5521-x", ships: t.tomorrow } },
          })
          .think(870, [2_011, 49])
          .say(t.done),
      { input: { order_id: "5521" } },
    )
    .later(2 * MINUTE)
    .user(t.thanks)
    .turn((turn) => turn.think(620, [2_090, 17]).say(t.welcome))
    .recordedUntil(end);
}
