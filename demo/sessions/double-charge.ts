import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { Story } from "./story.ts";
import { MINUTE, SECOND } from "./times.ts";

const TEXTS = {
  en: {
    title: "Complaint: charged twice for October",
    agent: "Front desk",
    instruction:
      "You are the front desk of a company: services, prices, terms. Only a person settles disputed charges: call a manager.",
    asksWhy: "I was charged twice for October. Why?",
    tariff: "Team",
    sees: "I see two charges of $49.90 on October 3, and your plan has one. Could you tell me whether you changed your card that day?",
    asksBack: "No, I didn't. Please return the extra charge.",
    tooOld: "Refunds after 30 days are made by accounting",
    cannot:
      "I cannot refund it myself: more than 30 days have passed. I can hand the request to accounting, who answer within two days. Shall I?",
    asksPerson: "Please get me a person, this is the third time I explain it",
    reason: "Charged twice for October, refund after 30 days",
    alert:
      "Charged $49.90 twice for October (c-118, c-119). The customer wants the extra charge back; more than 30 days have passed. She writes for the third time.",
    calls: "I am calling a manager, who will answer here. Sorry that this took so long.",
    manager: "M. Orlova",
    hello: "Hello! My name is Marina. I see the second charge and have refunded $49.90: the money arrives by Friday.",
    thanks: "Thank you! Will you send me a receipt?",
  },
  ru: {
    title: "Жалоба: двойное списание за октябрь",
    agent: "Администратор",
    instruction:
      "Ты администратор компании: услуги, цены, условия. Спорные списания разбирает только человек: позови менеджера.",
    asksWhy: "С меня за октябрь сняли дважды. Почему?",
    tariff: "Команда",
    sees: "Вижу два списания по 4 990 ₽ от 3 октября, а по тарифу должно быть одно. Уточните, пожалуйста: вы меняли карту в этот день?",
    asksBack: "Нет, не меняла. Верните лишнее.",
    tooOld: "Возврат старше 30 дней делает бухгалтерия",
    cannot:
      "Сама я вернуть не могу: прошло больше 30 дней. Могу передать заявку в бухгалтерию, ответ в течение двух дней. Передать?",
    asksPerson: "Позовите человека, пожалуйста, я уже третий раз объясняю",
    reason: "Двойное списание за октябрь, возврат старше 30 дней",
    alert:
      "Двойное списание 4 990 ₽ за октябрь (c-118, c-119). Клиентка просит вернуть лишнее, возврат старше 30 дней. Пишет в третий раз.",
    calls: "Зову менеджера, он ответит здесь. Простите за долгий разговор.",
    manager: "М. Орлова",
    hello: "Здравствуйте! Меня зовут Марина. Второе списание вижу, возврат 4 990 ₽ оформила: деньги придут до пятницы.",
    thanks: "Спасибо! А чек пришлёте?",
  },
} satisfies Texts;

/** «Жалоба: двойное списание»: the agent calls a manager, who takes the conversation over. */
export function doubleCharge(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const about = {
    id: "demo-double-charge",
    title: t.title,
    channel: "web",
    user: "guest-5f21",
    agent: t.agent,
    locale,
    instruction: t.instruction,
  };
  return new Story(about, end - 27 * MINUTE)
    .stage(null, "admin")
    .user(t.asksWhy)
    .turn(
      (turn) =>
        turn
          .think(
            1_480,
            [902, 88],
            [
              { _tool: "billing.charges.list", _id: "charges", month: "†input.month", _outputPath: "†state.charges" },
              { _tool: "billing.tariff.get", _id: "tariff", _outputPath: "†state.tariff" },
              {
                _tool: "billing.compare",
                _id: "compare",
                charges: "†state.charges.items",
                price: "†state.tariff.price",
                _outputPath: "†state.same || †state.excess",
              },
            ],
          )
          .play({
            charges: {
              ms: 640,
              output: {
                items: [
                  { id: "c-118", amount: 4_990 },
                  { id: "c-119", amount: 4_990 },
                ],
              },
            },
            tariff: { ms: 290, output: { name: t.tariff, price: 4_990 } },
            compare: { ms: 60, output: { over: 4_990, charges: ["c-118", "c-119"] }, branch: 1 },
          })
          .think(1_050, [1_340, 74])
          .say(t.sees),
      { input: { month: "2026-10" } },
    )
    .later(4 * MINUTE)
    .user(t.asksBack)
    .turn((turn) =>
      turn
        .think(
          1_390,
          [1_512, 69],
          [
            {
              _tool: "billing.refund.check",
              _id: "check",
              charge: "c-119",
              _outputPath: "†state.refundable || †state.manual",
            },
          ],
        )
        .play({ check: { ms: 720, output: { reason: t.tooOld }, branch: 1 } })
        .think(980, [1_655, 66])
        .say(t.cannot),
    )
    .later(3 * MINUTE)
    .user(t.asksPerson)
    .turn((turn) =>
      turn
        .think(
          860,
          [1_820, 41],
          [
            {
              _tool: "CallManager",
              _id: "call",
              reason: t.reason,
              _outputPath: "†state.called",
            },
          ],
        )
        .play({ call: { ms: 180, output: { queued: true } } })
        .alert(t.alert, "customer_asked")
        .say(t.calls)
        .finish("escalated"),
    )
    .later(6 * MINUTE)
    .takenOver(t.manager)
    .later(50 * SECOND)
    .operator(t.manager, t.hello)
    .later(2 * MINUTE)
    .user(t.thanks)
    .recordedUntil(end);
}
