import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Locale, Texts } from "../texts.ts";
import type { Outcome } from "./scene.ts";
import { Story } from "./story.ts";
import { SECOND } from "./times.ts";

const TEXTS = {
  en: {
    busy: "Too many pages at once",
    title: "invoice-triage / batch 2217",
    instruction:
      "You sort incoming invoices: read every page, match each invoice with its order, hold what does not match.",
    asks: "Triage batch 2217: 6 pages, supplier Norlund.",
  },
  ru: {
    busy: "Слишком много страниц сразу",
    title: "Разбор счетов / пакет 2217",
    instruction:
      "Ты разбираешь входящие счета: прочитай каждую страницу, сопоставь счёт с заказом, придержи то, что не сошлось.",
    asks: "Разбери пакет 2217: 6 страниц, поставщик «Норлунд».",
  },
} satisfies Texts;

/** t.title: still running. Pages are read in parallel; some attempts fail. */
export function invoiceBatch(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const busy = { code: "429", message: t.busy };
  const about = {
    id: "demo-invoice-batch-2217",
    title: t.title,
    channel: "api",
    user: "svc-billing",
    agent: "invoice-triage",
    locale,
    instruction: t.instruction,
  };
  const pages = [1, 2, 3, 4, 5, 6].map((page) => ({
    _tool: "ocr.extract",
    _id: `page_${page}`,
    file: "†state.batch.file",
    page,
    _outputPath: `†state.pages.p${page}`,
  }));
  const plan: JsonObject[] = [
    { _tool: "inbox.fetch", _id: "fetch", batch: "†input.batch", _outputPath: "†state.batch" },
    ...pages,
    {
      _tool: "matchOrders",
      _id: "match",
      first: "†state.pages.p1 && †state.pages.p2 && †state.pages.p3",
      second: "†state.pages.p4 && †state.pages.p5 && †state.pages.p6",
      _outputPath: "†state.matched || †state.unmatched",
    },
    { _tool: "erp.post", _id: "post", invoices: "†state.matched", _outputPath: "†state.posted" },
    { _tool: "inbox.hold", _id: "hold", invoices: "†state.unmatched", _outputPath: "†state.held" },
    { _tool: "chat.post", _id: "report", text: "†state.posted || †state.held", _outputPath: "†state.reported" },
  ];
  return new Story(about, end - 14 * SECOND)
    .user(t.asks)
    .turn(
      (turn) =>
        turn.think(1_910, [1_266, 312], plan).play({
          fetch: { ms: 620, output: { file: "s3://inbox/2217.pdf", pages: 6 } },
          page_1: page(1, 2_400),
          page_2: page(2, 3_100),
          page_3: { ...page(3, 2_700), tries: [{ ms: 900, error: busy, delay: 2 * SECOND }] },
          page_4: page(4, 4_200),
          page_5: { ...page(5, 60 * SECOND), tries: [{ ms: 1_100, error: busy, delay: 3 * SECOND }] },
          page_6: page(6, 45 * SECOND),
        }),
      { input: { batch: 2217 } },
    )
    .recordedUntil(end);
}

function page(number: number, ms: number): Outcome {
  return { ms, output: { page: number, invoice: `N-${4_400 + number}`, total: 180 * number + 19.5 } };
}
