import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import { Story } from "./story.ts";
import { MINUTE, SECOND } from "./times.ts";

/** «Жалоба: двойное списание»: the agent calls a manager, who takes the conversation over. */
export function doubleCharge(now: Date): ImportedConversation {
  const end = now.getTime();
  const about = {
    id: "demo-double-charge",
    title: "Жалоба: двойное списание за октябрь",
    channel: "web",
    user: "guest-5f21",
    agent: "Администратор",
    locale: "ru" as const,
    instruction:
      "Ты администратор компании: услуги, цены, условия. Спорные списания разбирает только человек: позови менеджера.",
  };
  return new Story(about, end - 27 * MINUTE)
    .stage(null, "admin")
    .user("С меня за октябрь сняли дважды. Почему?")
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
            tariff: { ms: 290, output: { name: "Команда", price: 4_990 } },
            compare: { ms: 60, output: { over: 4_990, charges: ["c-118", "c-119"] }, branch: 1 },
          })
          .think(1_050, [1_340, 74])
          .say(
            "Вижу два списания по 4 990 ₽ от 3 октября, а по тарифу должно быть одно. Уточните, пожалуйста: вы меняли карту в этот день?",
          ),
      { input: { month: "2026-10" } },
    )
    .later(4 * MINUTE)
    .user("Нет, не меняла. Верните лишнее.")
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
        .play({ check: { ms: 720, output: { reason: "Возврат старше 30 дней делает бухгалтерия" }, branch: 1 } })
        .think(980, [1_655, 66])
        .say(
          "Сама я вернуть не могу: прошло больше 30 дней. Могу передать заявку в бухгалтерию, ответ в течение двух дней. Передать?",
        ),
    )
    .later(3 * MINUTE)
    .user("Позовите человека, пожалуйста, я уже третий раз объясняю")
    .turn((turn) =>
      turn
        .think(
          860,
          [1_820, 41],
          [
            {
              _tool: "CallManager",
              _id: "call",
              reason: "Двойное списание за октябрь, возврат старше 30 дней",
              _outputPath: "†state.called",
            },
          ],
        )
        .play({ call: { ms: 180, output: { queued: true } } })
        .alert(
          "Двойное списание 4 990 ₽ за октябрь (c-118, c-119). Клиентка просит вернуть лишнее, возврат старше 30 дней. Пишет в третий раз.",
          "customer_asked",
        )
        .say("Зову менеджера, он ответит здесь. Простите за долгий разговор.")
        .finish("escalated"),
    )
    .later(6 * MINUTE)
    .takenOver("М. Орлова")
    .later(50 * SECOND)
    .operator(
      "М. Орлова",
      "Здравствуйте! Меня зовут Марина. Второе списание вижу, возврат 4 990 ₽ оформила: деньги придут до пятницы.",
    )
    .later(2 * MINUTE)
    .user("Спасибо! А чек пришлёте?")
    .recordedUntil(end);
}
