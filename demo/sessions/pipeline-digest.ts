import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Locale, Texts } from "../texts.ts";
import type { Outcome } from "./scene.ts";
import { Story } from "./story.ts";
import { MINUTE } from "./times.ts";

const TEXTS = {
  en: {
    north: "North",
    centre: "Centre",
    south: "South",
    report: (moved: number, idle: number) => `${moved} moved, ${idle} stalled`,
    title: "Weekly pipeline digest",
    instruction:
      "Every Friday, write the sales team a digest of the pipeline: what moved, what stalled, what to do on Monday.",
    digest: "14 deals moved, 3 stalled for over 10 days.",
    said: "14 deals moved, 3 stalled for over 10 days. Report attached.\n\n1. **North**: six moved, call *Hansen* on Monday\n2. **Centre**: five moved, two wait for a contract\n3. **South**: three moved",
  },
  ru: {
    north: "Север",
    centre: "Центр",
    south: "Юг",
    report: (moved: number, idle: number) => `сдвинулись: ${moved}, стоят: ${idle}`,
    title: "Сводка по сделкам за неделю",
    instruction:
      "Каждую пятницу пиши отделу продаж сводку по сделкам: что сдвинулось, что стоит, что делать в понедельник.",
    digest: "14 сделок сдвинулись, 3 стоят больше 10 дней.",
    said: "14 сделок сдвинулись, 3 стоят больше 10 дней. Отчёт приложен.\n\n1. **Север**: сдвинулись шесть, в понедельник позвонить *Савину*\n2. **Центр**: сдвинулись пять, две ждут договора\n3. **Юг**: сдвинулись три",
  },
} satisfies Texts;

const region: JsonObject[] = [
  { _tool: "crm.deal.list", _id: "moved", REGION: "†input.region", _outputPath: "†state.moved" },
  { _tool: "crm.deal.list", _id: "stalled", REGION: "†input.region", IDLE_DAYS: 10, _outputPath: "†state.stalled" },
  { _tool: "composeText", _id: "text", moved: "†state.moved", stalled: "†state.stalled", _outputPath: "†state.text" },
];

/** t.title: started without a user; three delegates run in parallel and one call collects their results. */
export function pipelineDigest(now: Date, locale: Locale): ImportedConversation {
  const t = TEXTS[locale];
  const end = now.getTime();
  const about = {
    id: "demo-pipeline-digest",
    title: t.title,
    channel: "api",
    user: null,
    agent: "digest",
    locale,
    instruction: t.instruction,
  };
  const regions = { north: t.north, centre: t.centre, south: t.south };
  const reports = Object.entries(regions).map(([id, name]) => ({
    _tool: "regionReport",
    _id: id,
    _delegate: "region-report",
    region: name,
    _outputPath: `†state.regions.${id}`,
  }));
  const report = (moved: number, stalled: number, ms: number, count: number, idle: number) =>
    regionReport([moved, stalled, ms], { moved: count, stalled: idle }, t.report(count, idle));
  return new Story(about, end - 26 * MINUTE)
    .turn(
      (turn) =>
        turn
          .think(
            1_620,
            [988, 174],
            [
              ...reports,
              {
                _tool: "composeText",
                _id: "digest",
                regions: "†state.regions.north && †state.regions.centre && †state.regions.south",
                _outputPath: "†state.digest && †state.archive.latest",
              },
              { _tool: "files.upload", _id: "attach", text: "†state.archive.latest", _outputPath: "†state.file" },
              {
                _tool: "chat.post",
                _id: "post",
                channel: "†input.channel",
                text: "†state.digest",
                file: "†state.file.url",
                _outputPath: "†state.posted",
              },
            ],
          )
          .play({
            north: report(410, 620, 1_900, 6, 1),
            centre: report(700, 380, 2_600, 5, 2),
            south: report(330, 290, 1_500, 3, 0),
            digest: {
              ms: 2_900,
              model: { input: 1_830, output: 355 },
              output: t.digest,
            },
            attach: { ms: 480, output: { url: "https://files.example/digest-47.pdf" } },
            post: { ms: 260, output: { message: 48_213 } },
          })
          .say(t.said),
      { input: { channel: "#sales" } },
    )
    .recordedUntil(end);
}

function regionReport(
  [moved, stalled, ms]: [moved: number, stalled: number, ms: number],
  counts: { moved: number; stalled: number },
  text: string,
): Outcome {
  return {
    ms: 40,
    output: counts,
    delegate: {
      name: "region-report",
      plan: region,
      outcomes: {
        moved: { ms: moved, output: { total: counts.moved } },
        stalled: { ms: stalled, output: { total: counts.stalled } },
        text: { ms, model: { input: 402 + 31 * counts.moved, output: 96 }, output: text },
      },
    },
  };
}
