import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import { Story } from "./story.ts";
import { HOUR, MINUTE } from "./times.ts";

/** «Скидка 35 %»: a person denies it, what waits for it is blocked, and the agent plans anew with the reason. */
export function discountAtlas(now: Date): ImportedConversation {
  const end = now.getTime();
  const about = {
    id: "demo-discount-atlas",
    title: "Скидка 35 % для «Атлас»",
    channel: "telegram",
    user: "Анна Юдина",
    agent: "CRM-ассистент",
    locale: "ru" as const,
    instruction:
      "Ты CRM-ассистент отдела продаж. Составь план вызовов и выполни его. Скидки меняй только с согласия человека.",
  };
  return new Story(about, end - HOUR - 50 * MINUTE)
    .stage(null, "demo")
    .user("Сделай «Атласу» скидку 35 % и отправь им новое предложение")
    .turn(
      (turn) =>
        turn
          .think(
            1_870,
            [1_420, 243],
            [
              { _tool: "crm.company.list", _id: "company", TITLE: "†input.company", _outputPath: "†state.company" },
              { _tool: "crm.deal.get", _id: "deal", id: "†state.company.deal_id", _outputPath: "†state.deal" },
              {
                _tool: "crm.deal.update",
                _id: "discount",
                _reasoningForCall: "Анна просит 35 %: это выше моего предела, решает человек.",
                id: "†state.deal.id",
                fields: { discount: "†input.discount" },
                _outputPath: "†state.discount",
              },
              {
                _tool: "documents.offer",
                _id: "offer",
                deal: "†state.discount && †state.deal.id",
                _outputPath: "†state.offer",
              },
              {
                _tool: "mail.send",
                _id: "send",
                document: "†state.offer.url",
                to: "†state.company.email",
                _outputPath: "†state.sent",
              },
            ],
          )
          .play({
            company: { ms: 430, output: { id: 61, title: "Атлас", email: "zakupki@atlas.example", deal_id: 1790 } },
            deal: { ms: 390, output: { id: 1790, title: "Лицензии, 120 мест", amount: 2_400_000, discount: 10 } },
            discount: {
              ms: 600,
              asks: {
                key: "deal_1790_discount",
                description: "Скидка по сделке 1790: 10 % → 35 %",
                decision: {
                  after: 41 * MINUTE,
                  by: "М. Орлова",
                  deny: "Выше предела менеджера: до 20 % можно без директора",
                },
              },
            },
          })
          .think(
            2_040,
            [2_318, 187],
            [
              { _tool: "crm.deal.get", _id: "deal_again", id: 1790, _outputPath: "†state.current" },
              {
                _tool: "calculateOffer",
                _id: "within",
                amount: "†state.current.amount",
                percent: 20,
                _outputPath: "†state.variant",
              },
              { _tool: "composeText", _id: "letter", price: "†state.variant.price", _outputPath: "†state.letter" },
            ],
          )
          .play({
            deal_again: { ms: 350, output: { id: 1790, amount: 2_400_000, discount: 10 } },
            within: { ms: 90, output: { price: 1_920_000, percent: 20 } },
            letter: { ms: 1_900, model: { input: 512, output: 164 }, output: "Черновик письма о скидке 20 %" },
          })
          .warn("Нет активных целей")
          .say(
            "М. Орлова не согласовала 35 %: _выше предела менеджера, до 20 % можно без директора_. Подготовила вариант с 20 %: **1 920 000 ₽**. Отправить его?",
          ),
      { input: { company: "Атлас", discount: 35 } },
    )
    .later(12 * MINUTE)
    .user("Пока не надо, схожу к директору")
    .turn((turn) => turn.think(940, [2_560, 38]).say("Хорошо, черновик сохранён в сделке 1790."))
    .recordedUntil(end);
}
