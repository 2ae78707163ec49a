import { type Example, list, NUMBER, object, TEXT, tool } from "./example.ts";

const PROFILE = object({ id: TEXT, name: TEXT, nickname: TEXT, company: TEXT, since: TEXT }, ["nickname"]);
const ORDERS = object({ open: NUMBER, last: object({ id: TEXT, total: NUMBER, status: TEXT }) });
const TICKETS = list(object({ id: TEXT, subject: TEXT, days_open: NUMBER }));

/** Profile → summary: a chain with two calls side by side, a fallback, a fan-out, and a prescribed output path. */
export const profileSummary: Example = {
  id: "demo-example-profile-summary",
  title: "Briefing: Inês Duarte at three",
  channel: "web",
  user: "tom.alvarez",
  agent: "account-assistant",
  question: "I'm talking to Inês Duarte from Harbour Foods at three. Who is she, and what is open on our side?",
  answer:
    "**Inês Duarte**, Harbour Foods, a customer since 2021. One order is open: H-2093 over €4,310, delayed since Thursday. She has waited nine days for an answer about the damaged pallets, so start there. The briefing is attached to your meeting.",
  context: [{ type: "input", email: "ines.duarte@harbour.example", meeting_id: "m-3317" }],
  tools: [
    tool("crm.contact.find", "Finds a contact by e-mail", { email: { ...TEXT, format: "email" }, _output: PROFILE }),
    tool("orders.summary", "Sums up a customer's orders", { customer_id: TEXT, _output: ORDERS }),
    tool("support.tickets.open", "Lists a customer's open tickets", { customer_id: TEXT, _output: TICKETS }),
    tool("writeBriefing", "Writes a short briefing for a meeting", {
      address_as: TEXT,
      profile: PROFILE,
      orders: ORDERS,
      tickets: TICKETS,
      _output: object({ headline: TEXT, text: TEXT }),
    }),
    tool("calendar.attach", "Attaches a note to a meeting", {
      meeting_id: TEXT,
      note: TEXT,
      _output: object({ note_id: TEXT }),
      _outputPath: { const: "†state.attached" },
    }),
  ],
  plan: [
    { _tool: "crm.contact.find", _id: "profile", email: "†input.email", _outputPath: "†state.profile" },
    { _tool: "orders.summary", _id: "orders", customer_id: "†state.profile.id", _outputPath: "†state.orders" },
    { _tool: "support.tickets.open", _id: "tickets", customer_id: "†state.profile.id", _outputPath: "†state.tickets" },
    {
      _tool: "writeBriefing",
      _id: "summary",
      _reasoningForCall: "Everything that is known of her is there; Tom has to read it in a minute.",
      address_as: "†state.profile.nickname || †state.profile.name",
      profile: "†state.profile",
      orders: "†state.orders",
      tickets: "†state.tickets",
      _outputPath: "†state.summary && †state.meeting.briefing",
    },
    { _tool: "calendar.attach", _id: "attach", meeting_id: "†input.meeting_id", note: "†state.meeting.briefing.text" },
  ],
  output_schema: null,
  outside: {
    "crm.contact.find": {
      idempotent: true,
      react: () => ({
        ms: 240,
        output: { id: "c-5108", name: "Inês Duarte", company: "Harbour Foods", since: "2021-03-02" },
      }),
    },
    "orders.summary": {
      idempotent: true,
      react: () => ({ ms: 410, output: { open: 1, last: { id: "H-2093", total: 4_310, status: "delayed" } } }),
    },
    "support.tickets.open": {
      idempotent: true,
      react: () => ({ ms: 655, output: [{ id: "T-771", subject: "Two pallets arrived damaged", days_open: 9 }] }),
    },
    writeBriefing: {
      idempotent: true,
      react: ({ address_as, tickets }) => ({
        ms: 1_480,
        output: {
          headline: `${address_as}: start with the damaged pallets`,
          text: `${address_as}, Harbour Foods, a customer since 2021. Open: order H-2093 (€4,310, delayed). Unanswered tickets: ${Array.isArray(tickets) ? tickets.length : 0}, the oldest for 9 days.`,
        },
      }),
    },
    "calendar.attach": { idempotent: false, react: () => ({ ms: 320, output: { note_id: "n-90417" } }) },
  },
  said: [],
};
