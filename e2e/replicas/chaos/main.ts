import { Console } from "node:console";
import { parseArgs } from "node:util";
import { z } from "zod";
import ensureBuild from "../../build.ts";
import { chaos } from "./chaos.ts";

// `npm run chaos -- --minutes 10`: see docs/scaling.md.

const terminal = new Console(process.stdout, process.stderr);
const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } });
const minutes = z.coerce
  .number()
  .positive()
  .max(24 * 60)
  .parse(values.minutes);
await ensureBuild();
const { counts, faults } = await chaos({
  ms: minutes * 60_000,
  every_ms: 8_500,
  frozen_ms: 40_000,
  say: (line) => terminal.log(line),
});
for (const [what, count] of Object.entries(counts)) terminal.log(`${String(count).padStart(8)} ${what}`);
for (const fault of faults) terminal.error(`WRONG: ${fault}`);
terminal.log(faults.length === 0 ? "Nothing is wrong" : `${faults.length} things are wrong`);
process.exitCode = faults.length === 0 ? 0 : 1;
