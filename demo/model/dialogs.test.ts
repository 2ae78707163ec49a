import fc from "fast-check";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { readSetupAnswer } from "../../lib/dialog/main-graph/configuration.ts";
import { dialogTools } from "../../lib/dialog/tools.ts";
import { createSchemaChecker } from "../../lib/engine/json-schema.ts";
import { createModel } from "../../lib/model/model-client.ts";
import { parameterSchema } from "../../lib/plan/schema/tool-schema.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { STUDIO } from "./scenarios/studio.ts";
import { startScriptedModel } from "./server.ts";
import { agentOf, filled, StagedDialog, toolsFor } from "./testing/dialog.ts";
import { askMatcher } from "./testing/matched.ts";

/** Non-breaking spaces in numbers as plain ones. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, " ");

/** Sends messages in order; returns the last answer. */
async function saidAfter(...messages: string[]) {
  const dialog = new StagedDialog(askMatcher);
  let said = { text: "", alert: null as JsonObject | null };
  for (const message of messages) said = await dialog.say(message);
  return { ...said, text: plain(said.text), stage: dialog.stage, configuration: dialog.configuration };
}

const HELLO = { en: "show a demo for a dental clinic", ru: "хочу демо для стоматологии" };

describe("D4: the administrator", () => {
  it.each([
    ["Привет!", "Я администратор «Отклика»"],
    ["кто вы?", "студия вымышлена"],
    ["что ты умеешь?", "модель по сценариям"],
    ["Какие у вас услуги?", "**Ассистент в Telegram**: отвечает"],
    ["сколько стоит ассистент в телеграме?", "**Ассистент в Telegram**: от 60 000 ₽, 2 недели"],
    ["Сколько это стоит?", "- Ассистент с вашей CRM: **от 140 000 ₽**"],
    ["сколько времени это займёт?", "- Ассистент на сайте: 3 недели"],
    ["какие сроки?", "- Ассистент на сайте: 3 недели"],
    ["нужна ли предоплата", "половина — предоплата"],
    ["Как подключить Telegram?", "@BotFather"],
    ["Как работают согласования?", "**Согласования**"],
    ["как с вами связаться?", "hello@otklik.example"],
    ["покажи сделку 123", "другой агент — `crm`"],
    ["Сколько стоит демо?", "Это бесплатно"],
    ["спасибо", "Пожалуйста."],
    ["до свидания", "До свидания!"],
    ["стоп", "С вами администратор"],
    ["расскажи анекдот", "На это я ответить не могу"],
    ["Hello!", "administrator of Otklik"],
    ["who are you?", "the studio is made up"],
    ["What can you do?", "scripted model"],
    ["what services do you offer?", "**Assistant in Telegram**: answers"],
    ["how much is support?", "**Support**: ₽15,000 a month"],
    ["What are your prices?", "- Assistant with your CRM: **from ₽140,000**"],
    ["how long does it take?", "- Assistant on your site: 3 weeks"],
    ["what are your terms", "half in advance"],
    ["how do I connect Telegram?", "@BotFather"],
    ["How do approvals work?", "**Approvals**"],
    ["your phone number please", "hello@otklik.example"],
    ["show deal 123", "Another agent works with deals"],
    ["what is a demo?", "It costs nothing"],
    ["thanks", "You are welcome."],
    ["stop", "the studio's administrator"],
    ["tell me a joke", "I cannot answer that"],
  ])("%s", async (message, words) => {
    const { text, alert, stage } = await saidAfter(message);
    expect(text).toContain(words);
    expect([alert, stage]).toEqual([null, "admin"]);
  });

  it("knows what a real model is told of the studio, and no more", () => {
    const { instructions } = agentOf("admin");
    const told = JSON.stringify(STUDIO);
    const sums = [...told.matchAll(/₽(\d+,\d{3})/g)].flatMap((found) => found.slice(1));
    expect(sums.length).toBeGreaterThan(3);
    for (const sum of sums) expect(instructions).toContain(`${sum} ₽`);
  });
});

describe("D5: the administrator hands over to the demonstration", () => {
  it.each([
    "Покажите демо",
    "демо",
    "хочу посмотреть демонстрацию",
    "Можно увидеть, как это выглядит, на примере? Покажи пример",
    "давай демо!",
    "Show me a demo",
    "switch to demo",
    "I would like to see the demonstration",
    "can I see it in action? Show me it in action",
  ])("%s, without a business: it asks for one", async (message) => {
    expect(await saidAfter(message)).toMatchObject({
      text: expect.stringMatching(/Для какого бизнеса|What kind of business/),
      stage: "demo_setup",
      configuration: null,
    });
  });

  it.each([
    ["покажи демо для стоматологии", "стоматология"],
    ["Хочу демо для стоматологии", "стоматология"],
    ["у меня цветочный магазин", "цветочный магазин"],
    ["Мы открываем... у нас пекарня, покажите демо", "пекарня"],
    ["демонстрацию на примере автосервиса, пожалуйста", "автосервис"],
    ["Покажи, как бот отвечает в гостинице", "гостиница"],
    ["владею фитнес-клубом", "фитнес-клуб"],
    ["мой бизнес — кофейня", "кофейня"],
    ["покажите пример для юридической фирмы", "юридическая фирма"],
    ["демо для питомника хаски", "питомник хаски"],
    ["демо для моей студии керамики", "студия керамики"],
    ["a demo for my bakery", "bakery"],
    ["I run a dental clinic", "dental clinic"],
    ["Show me a demonstration for a law firm, please", "law firm"],
    ["we have a hotel", "hotel"],
    ["my business is a flower shop", "flower shop"],
    ["show me how it would work for an estate agency", "real estate agency"],
    ["demo for a vet", "veterinary clinic"],
    ["demo for our ceramics studio", "ceramics studio"],
  ])("%s: a configuration at once", async (message, niche) => {
    const { text, stage, configuration } = await saidAfter(message);
    expect(configuration?.niche).toBe(niche);
    expect(stage).toBe("demo");
    expect(text).toBe(`[Демонстрация] ${configuration?.welcome_message}`);
  });

  it.each([
    ["у меня вопрос по договору", "половина"],
    ["не хочу демо", "ответить не могу"],
    ["I have a question about the contract", "half in advance"],
  ])("%s is no reason", async (message, words) => {
    expect(await saidAfter(message)).toMatchObject({ text: expect.stringContaining(words), stage: "admin" });
  });

  it("continues with the same business, and starts over with another one", async () => {
    expect((await saidAfter(HELLO.ru, "стоп", "покажи демо")).configuration?.niche).toBe("стоматология");
    expect((await saidAfter(HELLO.ru, "стоп", "хочу демо для ветклиники")).configuration?.niche).toBe(
      "ветеринарная клиника",
    );
    expect((await saidAfter(HELLO.en, "stop", "show a demo for another business")).stage).toBe("demo_setup");
    expect((await saidAfter(HELLO.en, "stop", "show me another demo")).configuration).toBeNull();
  });

  it.each([
    [HELLO.ru, "стоп", "Демонстрация окончена"],
    [HELLO.ru, "Стоп!", "Демонстрация окончена"],
    [HELLO.ru, "«стоп»", "Демонстрация окончена"],
    [HELLO.ru, "/stop", "Демонстрация окончена"],
    [HELLO.en, "stop", "The demonstration is over"],
    [HELLO.en, "/stop", "The demonstration is over"],
  ])("D2: %s, %s: it ends", async (begin, stop, words) => {
    expect(await saidAfter(begin, stop)).toMatchObject({ text: expect.stringContaining(words), stage: "admin" });
  });
});

describe("D4: the setup gets the business when it asks", () => {
  it.each([
    ["стоматология", "стоматология", "Белая линия"],
    ["Это автосервис «Гараж», Казань", "автосервис", "Гараж"],
    ["у меня салон красоты", "салон красоты", "Лаванда"],
    ["кафе, двенадцать столиков", "кофейня", "Первая чашка"],
    ["ну наверное что-нибудь с цветами", "цветочный магазин", "Пион"],
    ["завод «Рога и копыта»", "завод", "Рога и копыта"],
    ["для автошколы", "автошкола", "Пример"],
    ["не знаю", "цветочный магазин", "Пион"],
  ])("Russian: %s", async (message, niche, company_name) => {
    expect((await saidAfter("покажи демо", message)).configuration).toMatchObject({ niche, company_name });
  });

  it.each([
    ["a dental clinic", "dental clinic", "White Line"],
    ["it's a bakery “Crumb”", "bakery", "Crumb"],
    ["we are a pottery studio", "pottery studio", "Example"],
    ["I don't know", "flower shop", "Peony"],
  ])("English: %s", async (message, niche, company_name) => {
    expect((await saidAfter("show me a demo", message)).configuration).toMatchObject({ niche, company_name });
  });

  it.each(["зачем?", "хочу посмотреть", "привет", "what do you mean?", "12", "…"])(
    "%s is no business: it asks again",
    async (message) => {
      expect(await saidAfter("покажи демо", message)).toMatchObject({
        text: expect.stringMatching(/Для какого бизнеса|What kind of business/),
        stage: "demo_setup",
      });
    },
  );

  it("its answer to any message is valid", async () => {
    const asked = { role: "assistant", content: "Для какого бизнеса показать демонстрацию?" };
    const { instructions } = agentOf("demo_setup");
    const openings = fc.constantFrom("", "демо для ", "у меня ", "a demo for my ", "I run a ", "«");
    const niche = fc.oneof(fc.string({ unit: "binary", maxLength: 120 }), fc.constant('"},{"\\u0000{niche}[?{x}]'));
    await fc.assert(
      fc.asyncProperty(openings, niche, fc.boolean(), async (opening, rest, wasAsked) => {
        const message = { role: "user", content: opening + rest };
        const input = wasAsked ? [asked, message] : [message];
        const { text } = await askMatcher({ ...requestOf(instructions), input });
        expect(readSetupAnswer(text).kind).not.toBe("bad");
        JSON.parse(text);
      }),
    );
  });
});

describe("D4: an employee of the business", () => {
  it.each([
    ["здравствуйте", "Это «Белая линия», на связи администратор Ирина."],
    ["какие у вас цены?", "- Профессиональная чистка: 5 500 ₽"],
    ["сколько стоит чистка?", "**Профессиональная чистка** — 5 500 ₽. Записать вас?"],
    ["у меня болит зуб", "**Лечение кариеса** — 6 500 ₽. Записать вас?"],
    ["когда вы работаете?", "ежедневно с 9:00 до 21:00"],
    ["где вы находитесь?", "улице Садовой"],
    ["можно картой?", "картой"],
    ["хочу записаться", "На что вас записать?"],
    ["вы бот?", "это демонстрация"],
    ["покажи демо для пекарни", "Эта демонстрация идёт от имени компании «Белая линия»"],
    ["спасибо", "Обращайтесь"],
    ["до свидания", "До свидания!"],
    ["а почему небо синее?", "ответа"],
  ])("Russian: %s", async (message, words) => {
    expect(await saidAfter(HELLO.ru, message)).toMatchObject({ text: expect.stringContaining(words), stage: "demo" });
  });

  it.each([
    ["hello", "This is Irina, the receptionist at “White Line”."],
    ["what are your prices?", "- Professional cleaning: ₽5,500"],
    ["how much is whitening?", "**Whitening** — ₽18,000. Shall I book you in?"],
    ["when are you open?", "daily from 9 am to 9 pm"],
    ["where are you?", "12 Garden Street"],
    ["do you take cards?", "by card"],
    ["I would like to book", "What shall I book for you?"],
    ["are you a bot?", "this is a demonstration"],
    ["show a demo for a bakery", "This demonstration is about “White Line”"],
    ["thank you", "You are welcome"],
    ["why is the sky blue?", "this is a demonstration"],
  ])("English: %s", async (message, words) => {
    expect(await saidAfter(HELLO.en, message)).toMatchObject({ text: expect.stringContaining(words), stage: "demo" });
  });

  it.each<[string, string, [string, string][]]>([
    [
      "step by step",
      HELLO.ru,
      [
        ["хочу записаться", "На что вас записать?"],
        ["на чистку", "Записываю: **Профессиональная чистка**. Когда вам удобно? Назовите день и время."],
        ["Завтра в 15:00", "Записываю: **Профессиональная чистка**, завтра в 15:00. На чьё имя?"],
        ["меня зовут анна", "Спасибо, Анна! Готово: вы записаны. **Профессиональная чистка**, завтра в 15:00"],
      ],
    ],
    [
      "from the price on",
      HELLO.en,
      [
        ["how much is a check-up?", "**Check-up and advice** — ₽1,000. Shall I book you in?"],
        ["yes, please", "Booking: **Check-up and advice**. When would it suit you?"],
        ["On Friday at 3 pm", "Booking: **Check-up and advice**, on Friday at 3 pm. What name shall I put down?"],
        ["John Smith", "Thank you, John Smith: you are booked in."],
      ],
    ],
    [
      "all at once",
      "демо для гостиницы",
      [
        ["забронируйте люкс на субботу", "Бронирую: **Люкс, за ночь**, на субботу. На чьё имя?"],
        ["Пётр", "Спасибо, Пётр! Готово: бронь оформлена."],
      ],
    ],
    [
      "in words of one's own",
      "demo for a flower shop",
      [
        ["I want to order", "What would you like to order?"],
        ["something yellow", "Your order: **Something yellow**. When do you need it?"],
        ["by 5 May", "Your order: **Something yellow**, by 5 May. What name shall I put down?"],
      ],
    ],
    [
      "with a question between, and given up",
      "демо для пекарни",
      [
        ["хочу заказать торт", "Оформляю заказ: **Торт на заказ, 1 кг**. К какому времени?"],
        ["а доставка есть?", "Доставляем по городу"],
        ["нет, передумала", "ничего не оформляю"],
      ],
    ],
  ])("a booking %s", async (_name, begin, steps) => {
    const dialog = new StagedDialog(askMatcher);
    await dialog.say(begin);
    for (const [message, words] of steps) expect(plain((await dialog.say(message)).text)).toContain(words);
  });

  it.each(["стоматология", "ветклиника", "салон красоты", "фитнес-клуб", "языковая школа", "автосервис"])(
    "each of its services is recognized by name: %s",
    (niche) => everyServiceIsKnown("ru", niche),
  );
  it.each(["цветочный магазин", "пекарня", "кофейня", "ресторан", "отель", "юристы", "недвижимость", "зоопарк"])(
    "each of its services is recognized by name: %s",
    (niche) => everyServiceIsKnown("ru", niche),
  );
  it.each(["dentist", "vet", "beauty salon", "gym", "language school", "garage", "florist", "bakery", "cafe"])(
    "each of its services is recognized by name: %s",
    (niche) => everyServiceIsKnown("en", niche),
  );
  it.each(["restaurant", "hotel", "law firm", "real estate", "zoo"])(
    "each of its services is recognized by name: %s",
    (niche) => everyServiceIsKnown("en", niche),
  );

  async function everyServiceIsKnown(locale: "en" | "ru", niche: string) {
    const begin = { en: `a demo for ${niche}`, ru: `демо для: ${niche}` }[locale];
    const asked = { en: "what are your prices?", ru: "какие у вас цены?" }[locale];
    const setup = { en: "show me a demo", ru: "покажи демо" }[locale];
    const opening = locale === "en" ? [begin] : [setup, niche];
    const services = [...(await saidAfter(...opening, asked)).text.matchAll(/^- (.+): /gm)].map(
      ([, name]) => name ?? "",
    );
    expect(services.length).toBeGreaterThan(2);
    for (const name of services) expect((await saidAfter(...opening, name)).text).toContain(`**${name}**`);
  }
});

describe("D9: calling a manager", () => {
  const REQUESTS = [
    "позовите менеджера",
    "Позовите, пожалуйста, менеджера!",
    "хочу поговорить с человеком",
    "соедините меня с живым оператором",
    "мне нужен менеджер",
    "есть тут кто-нибудь живой?",
    "call a manager",
    "I want to talk to a human",
    "Can I speak with a real person, please?",
    "connect me to an operator",
    "I need a manager",
  ];
  const BEGINNINGS = [[], ["покажи демо"], ["show me a demo"], [HELLO.ru], [HELLO.en]];
  it.each(REQUESTS)("%s, from the administrator, the setup and the demonstration", async (message) => {
    for (const beginning of BEGINNINGS) {
      const { alert, text } = await saidAfter(...beginning, message);
      expect(text).toBe("");
      expect(alert).toEqual({ text: expect.stringContaining(message), reason: expect.any(String) });
    }
  });

  it.each([
    [HELLO.ru, "Ужасное обслуживание, верните деньги!", "«Белая линия» (стоматология): жалоба"],
    [HELLO.en, "I have a complaint", "“White Line” (dental clinic): a customer complains"],
    [null, "хочу заказать ассистента", "Клиент готов обсудить заказ"],
    [null, "do you have a discount?", "ready to talk about an order"],
  ])("%s, %s: by what the user needs", async (begin, message, words) => {
    const { alert } = await saidAfter(...(begin === null ? [] : [begin]), message);
    expect(alert).toMatchObject({ text: expect.stringContaining(words) });
  });

  it("a long message is cut to the tool's limit", async () => {
    const { alert } = await saidAfter(`позовите менеджера ${"очень ".repeat(300)}`);
    expect(faultsOf("CallManager", alert ?? {})).toEqual([]);
  });

  it.each(["не надо менеджера", "менеджеры у вас хорошие", "your managers are fine"])(
    "%s is no request",
    async (message) => {
      expect((await saidAfter(message)).alert).toBeNull();
    },
  );
});

describe("D4: the shipped agents", () => {
  it("have their stages, and the administrator is the default agent", () => {
    const shown = (["admin", "demo", "demo_setup", "crm"] as const).map((name) => {
      const { stage, tools, mode, default: isDefault } = agentOf(name);
      return [stage, mode, isDefault, name === "crm" ? tools?.includes("CallManager") : tools];
    });
    expect(shown).toEqual([
      ["admin", "full", true, ["CallManager", "SwitchToDemo"]],
      ["demo", "full", false, ["CallManager"]],
      ["demo_setup", "full", false, ["CallManager"]],
      [null, "full", false, true],
    ]);
    expect(agentOf("demo").prefix).toEqual({ en: "[Demonstration] ", ru: "[Демонстрация] " });
  });

  it.each([
    ["admin", [], "привет"],
    ["admin", [], "hello"],
    ["demo", [HELLO.ru], "кто вы?"],
    ["demo", [HELLO.en], "who are you?"],
  ])("each example that they give works: %s, %s, %s", async (_stage, beginning, greeting) => {
    const { text } = await saidAfter(...beginning, greeting);
    const examples = text.split("\n").flatMap((line) => /^- (.+)/.exec(line)?.slice(1) ?? []);
    expect(examples.length).toBeGreaterThan(4);
    for (const example of examples) {
      const said = await saidAfter(...beginning, example);
      expect(said.text).not.toMatch(/ответить не могу|cannot answer|нет ответа|no answer/);
    }
  });

  it("any message has an answer, and every call is valid for its tool", async () => {
    const words = fc.constantFrom(
      ...["покажи", "демо", "для", "менеджера", "хочу", "завтра", "чистку", "сколько", "стоит", "да", "не", "позови"],
      ...["show", "a demo", "for", "manager", "book", "tomorrow", "how much", "yes", "{x}", "[?{y}]", "“", "»", "?"],
    );
    const message = fc.oneof(
      fc.string({ maxLength: 300 }),
      fc.array(words, { maxLength: 12 }).map((all) => all.join(" ")),
      fc.constantFrom("Записать вас?", "a".repeat(3_000)),
    );
    const before = fc.constantFrom(
      ...[
        "",
        "На что вас записать?",
        "**x**. Назовите день и время.",
        "**x**, y. На чьё имя?",
        "**x** — 1. Записать вас?",
      ],
    );
    const settings = { niche: "зоопарк", company_name: "Слон", welcome_message: "Привет!" };
    await fc.assert(
      fc.asyncProperty(message, before, fc.constantFrom("admin", "demo"), async (content, earlier, name) => {
        const { instructions, tools } = agentOf(name);
        const { text, calls } = await askMatcher({
          ...requestOf(filled(instructions, { configuration: settings })),
          tools: toolsFor(tools),
          input: [
            { role: "assistant", content: earlier },
            { role: "user", content },
          ],
        });
        expect(text.length + calls.length).toBeGreaterThan(0);
        expect(text.replaceAll(content.trim(), "")).not.toMatch(
          /\[\?|\{(?:business|chosen|company|examples|message|name|offer|service|welcome|when)\b/,
        );
        for (const call of calls) expect(faultsOf(call.name, JSON.parse(call.arguments))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

it("D7: the real client has the dialog with the scripted model's server", async () => {
  const scripted = await startScriptedModel({ logger: pino({ level: "silent" }) });
  const model = createModel({ ...scripted, folder: null });
  const dialog = new StagedDialog(async (request) => {
    for await (const part of model.respond(request, AbortSignal.timeout(20_000)))
      if (part.type === "done") return part.answer;
    throw new Error("The answer was not done");
  });
  try {
    expect((await dialog.say("Привет!")).text).toContain("администратор «Отклика»");
    expect((await dialog.say("покажи демо")).text).toContain("Для какого бизнеса");
    expect((await dialog.say('магазин чая "Два листа"')).text).toContain(
      "[Демонстрация] Здравствуйте! Это «Два листа»",
    );
    expect(dialog.configuration).toMatchObject({ niche: "магазин чая", company_name: "Два листа" });
    expect((await dialog.say("хочу оставить заявку")).text).toContain("Что вам нужно?");
    expect((await dialog.say("стоп")).text).toContain("Демонстрация окончена");
    expect((await dialog.say("позовите менеджера")).alert).toMatchObject({ reason: "пользователь попросил человека" });
  } finally {
    await scripted.close();
  }
});

function requestOf(instructions: string) {
  const alone = { format: null, previous_response_id: null, store: false };
  return { instructions, tools: toolsFor(["CallManager"]), input: [], ...alone };
}

const checker = createSchemaChecker();

function faultsOf(name: string, params: JsonObject) {
  const tool = dialogTools.find((each) => each.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  return checker.faults(parameterSchema({ ...tool, has_activity: true }), params);
}
