import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { Locale, Texts } from "../texts.ts";
import { Story } from "./story.ts";
import { HOUR, MINUTE } from "./times.ts";

const TEXTS = {
  en: {
    title: "A 35% discount for Atlas",
    user: "Anna Yudina",
    agent: "CRM assistant",
    instruction:
      "You are the CRM assistant of a sales team. Plan the calls and carry them out. Change discounts only with a person's approval.",
    asksDiscount: "Give Atlas a 35% discount and send them a new offer",
    reasoning: "Anna asks for 35%: that is above my limit, so a person decides.",
    company: "Atlas",
    deal: "Licences, 120 seats",
    description: "Discount of deal 1790: 10% → 35%",
    manager: "M. Orlova",
    deny: "Above a manager's limit: up to 20% needs no director",
    letter: "Draft of a letter about a 20% discount",
    warning: "There are no active goals",
    variant:
      "M. Orlova did not approve 35%: _above a manager's limit, up to 20% needs no director_. I have prepared an offer with 20%: **$1,920,000**. Shall I send it?",
    notYet: "Not yet, I will talk to the director",
    kept: "All right, the draft is saved in deal 1790.",
  },
  ru: {
    title: "Скидка 35 % для «Атлас»",
    user: "Анна Юдина",
    agent: "CRM-ассистент",
    instruction:
      "Ты CRM-ассистент отдела продаж. Составь план вызовов и выполни его. Скидки меняй только с согласия человека.",
    asksDiscount: "Сделай «Атласу» скидку 35 % и отправь им новое предложение",
    reasoning: "Анна просит 35 %: это выше моего предела, решает человек.",
    company: "Атлас",
    deal: "Лицензии, 120 мест",
    description: "Скидка по сделке 1790: 10 % → 35 %",
    manager: "М. Орлова",
    deny: "Выше предела менеджера: до 20 % можно без директора",
    letter: "Черновик письма о скидке 20 %",
    warning: "Нет активных целей",
    variant:
      "М. Орлова не согласовала 35 %: _выше предела менеджера, до 20 % можно без директора_. Подготовила вариант с 20 %: **1 920 000 ₽**. Отправить его?",
    notYet: "Пока не надо, схожу к директору",
    kept: "Хорошо, черновик сохранён в сделке 1790.",
  },
} satisfies Texts;

/** «Скидка 35 %»: a denied call blocks its readers, and the agent plans again with the reason. */
export function discountAtlas(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const about = {
    id: "demo-discount-atlas",
    title: t.title,
    channel: "telegram",
    user: t.user,
    agent: t.agent,
    locale,
    instruction: t.instruction,
  };
  return new Story(about, end - HOUR - 50 * MINUTE)
    .stage(null, "demo")
    .user(t.asksDiscount)
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
                _reasoningForCall: t.reasoning,
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
            company: { ms: 430, output: { id: 61, title: t.company, email: "zakupki@atlas.example", deal_id: 1790 } },
            deal: { ms: 390, output: { id: 1790, title: t.deal, amount: 2_400_000, discount: 10 } },
            discount: {
              ms: 600,
              asks: {
                key: "deal_1790_discount",
                description: t.description,
                decision: {
                  after: 41 * MINUTE,
                  by: t.manager,
                  deny: t.deny,
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
            letter: { ms: 1_900, model: { input: 512, output: 164 }, output: t.letter },
          })
          .warn(t.warning)
          .say(t.variant),
      { input: { company: t.company, discount: 35 } },
    )
    .later(12 * MINUTE)
    .user(t.notYet)
    .turn((turn) => turn.think(940, [2_560, 38]).say(t.kept))
    .recordedUntil(end);
}
