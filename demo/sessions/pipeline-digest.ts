import type { ImportedConversation } from "../../lib/intake/new-event.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Outcome } from "./scene.ts";
import { Story } from "./story.ts";
import { MINUTE } from "./times.ts";

const region: JsonObject[] = [
  { _tool: "crm.deal.list", _id: "moved", REGION: "†input.region", _outputPath: "†state.moved" },
  { _tool: "crm.deal.list", _id: "stalled", REGION: "†input.region", IDLE_DAYS: 10, _outputPath: "†state.stalled" },
  { _tool: "composeText", _id: "text", moved: "†state.moved", stalled: "†state.stalled", _outputPath: "†state.text" },
];

/** "Weekly pipeline digest": nobody asks; three delegates work side by side and one call gathers them. */
export function pipelineDigest(now: Date): ImportedConversation {
  const end = now.getTime();
  const about = {
    id: "demo-pipeline-digest",
    title: "Weekly pipeline digest",
    channel: "api",
    user: null,
    agent: "digest",
    locale: "en" as const,
    instruction:
      "Every Friday, write the sales team a digest of the pipeline: what moved, what stalled, what to do on Monday.",
  };
  const regions = ["North", "Centre", "South"];
  const reports = regions.map((name) => ({
    _tool: "regionReport",
    _id: name.toLowerCase(),
    _delegate: "region-report",
    region: name,
    _outputPath: `†state.regions.${name.toLowerCase()}`,
  }));
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
              output: "14 deals moved, 3 stalled for over 10 days.",
            },
            attach: { ms: 480, output: { url: "https://files.example/digest-47.pdf" } },
            post: { ms: 260, output: { message: 48_213 } },
          })
          .say(
            "14 deals moved, 3 stalled for over 10 days. Report attached.\n\n1. **North**: six moved, call *Hansen* on Monday\n2. **Centre**: five moved, two wait for a contract\n3. **South**: three moved",
          ),
      { input: { channel: "#sales" } },
    )
    .recordedUntil(end);
}

function report(moved: number, stalled: number, ms: number, count: number, idle: number): Outcome {
  return {
    ms: 40,
    output: { moved: count, stalled: idle },
    delegate: {
      name: "region-report",
      plan: region,
      outcomes: {
        moved: { ms: moved, output: { total: count } },
        stalled: { ms: stalled, output: { total: idle } },
        text: { ms, model: { input: 402 + 31 * count, output: 96 }, output: `${count} moved, ${idle} stalled` },
      },
    },
  };
}
