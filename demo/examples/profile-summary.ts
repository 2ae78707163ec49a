import type { Texts } from "../texts.ts";
import { type Example, inEachLanguage, list, NUMBER, object, TEXT, tool } from "./example.ts";

const TEXTS = {
  en: {
    headline: (name: string) => `${name}: start with the damaged pallets`,
    briefing: (name: string, tickets: number) =>
      `${name}, Harbour Foods, a customer since 2021. Open: order H-2093 (€4,310, delayed). Unanswered tickets: ${tickets}, the oldest for 9 days.`,
    title: "Briefing: Inês Duarte at three",
    agent: "account-assistant",
    question: "I'm talking to Inês Duarte from Harbour Foods at three. Who is she, and what is open on our side?",
    answer:
      "**Inês Duarte**, Harbour Foods, a customer since 2021. One order is open: H-2093 over €4,310, delayed since Thursday. She has waited nine days for an answer about the damaged pallets, so start there. The briefing is attached to your meeting.",
    find: "Finds a contact by e-mail",
    orders: "Sums up a customer's orders",
    tickets: "Lists a customer's open tickets",
    write: "Writes a short briefing for a meeting",
    attach: "Attaches a note to a meeting",
    reasoning: "Everything that is known of her is there; Tom has to read it in a minute.",
    name: "Inês Duarte",
    company: "Harbour Foods",
    delayed: "delayed",
    subject: "Two pallets arrived damaged",
  },
  ru: {
    headline: (name: string) => `${name}: начните с повреждённых паллет`,
    briefing: (name: string, tickets: number) =>
      `${name}, «Харбор Фудс», клиент с 2021 года. Открыто: заказ H-2093 (4 310 €, задержан). Обращений без ответа: ${tickets}, старшему 9 дней.`,
    title: "Справка: Инес Дуарте в три",
    agent: "Ассистент менеджера",
    question: "В три говорю с Инес Дуарте из «Харбор Фудс». Кто она и что у нас по ней открыто?",
    answer:
      "**Инес Дуарте**, «Харбор Фудс», клиент с 2021 года. Открыт один заказ: H-2093 на 4 310 €, задержан с четверга. Она девять дней ждёт ответа о повреждённых паллетах, начните с этого. Справка приложена к встрече.",
    find: "Находит контакт по почте",
    orders: "Подводит итог по заказам клиента",
    tickets: "Перечисляет открытые обращения клиента",
    write: "Пишет короткую справку к встрече",
    attach: "Прикладывает заметку к встрече",
    reasoning: "Всё, что о ней известно, собрано; Тому нужно прочитать это за минуту.",
    name: "Инес Дуарте",
    company: "Харбор Фудс",
    delayed: "задержан",
    subject: "Две паллеты пришли повреждёнными",
  },
} satisfies Texts;

const PROFILE = object({ id: TEXT, name: TEXT, nickname: TEXT, company: TEXT, since: TEXT }, ["nickname"]);
const ORDERS = object({ open: NUMBER, last: object({ id: TEXT, total: NUMBER, status: TEXT }) });
const TICKETS = list(object({ id: TEXT, subject: TEXT, days_open: NUMBER }));

/** Profile → summary: a chain with two parallel calls, a fallback, a fan-out, and a prescribed output path. */
export const profileSummary = inEachLanguage(
  TEXTS,
  (t): Example => ({
    id: "demo-example-profile-summary",
    title: t.title,
    channel: "web",
    user: "tom.alvarez",
    agent: t.agent,
    question: t.question,
    answer: t.answer,
    context: [{ type: "input", email: "ines.duarte@harbour.example", meeting_id: "m-3317" }],
    tools: [
      tool("crm.contact.find", t.find, { email: { ...TEXT, format: "email" }, _output: PROFILE }),
      tool("orders.summary", t.orders, { customer_id: TEXT, _output: ORDERS }),
      tool("support.tickets.open", t.tickets, { customer_id: TEXT, _output: TICKETS }),
      tool("writeBriefing", t.write, {
        address_as: TEXT,
        profile: PROFILE,
        orders: ORDERS,
        tickets: TICKETS,
        _output: object({ headline: TEXT, text: TEXT }),
      }),
      tool("calendar.attach", t.attach, {
        meeting_id: TEXT,
        note: TEXT,
        _output: object({ note_id: TEXT }),
        _outputPath: { const: "†state.attached" },
      }),
    ],
    plan: [
      { _tool: "crm.contact.find", _id: "profile", email: "†input.email", _outputPath: "†state.profile" },
      { _tool: "orders.summary", _id: "orders", customer_id: "†state.profile.id", _outputPath: "†state.orders" },
      {
        _tool: "support.tickets.open",
        _id: "tickets",
        customer_id: "†state.profile.id",
        _outputPath: "†state.tickets",
      },
      {
        _tool: "writeBriefing",
        _id: "summary",
        _reasoningForCall: t.reasoning,
        address_as: "†state.profile.nickname || †state.profile.name",
        profile: "†state.profile",
        orders: "†state.orders",
        tickets: "†state.tickets",
        _outputPath: "†state.summary && †state.meeting.briefing",
      },
      {
        _tool: "calendar.attach",
        _id: "attach",
        meeting_id: "†input.meeting_id",
        note: "†state.meeting.briefing.text",
      },
    ],
    output_schema: null,
    outside: {
      "crm.contact.find": {
        idempotent: true,
        react: () => ({
          ms: 240,
          output: { id: "c-5108", name: t.name, company: t.company, since: "2021-03-02" },
        }),
      },
      "orders.summary": {
        idempotent: true,
        react: () => ({ ms: 410, output: { open: 1, last: { id: "H-2093", total: 4_310, status: t.delayed } } }),
      },
      "support.tickets.open": {
        idempotent: true,
        react: () => ({ ms: 655, output: [{ id: "T-771", subject: t.subject, days_open: 9 }] }),
      },
      writeBriefing: {
        idempotent: true,
        react: ({ address_as, tickets }) => ({
          ms: 1_480,
          output: {
            headline: t.headline(String(address_as)),
            text: t.briefing(String(address_as), Array.isArray(tickets) ? tickets.length : 0),
          },
        }),
      },
      "calendar.attach": { idempotent: false, react: () => ({ ms: 320, output: { note_id: "n-90417" } }) },
    },
    said: [],
  }),
);
