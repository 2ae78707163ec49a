import { parseArgs } from "node:util";
import { Refusal, SERVER } from "../commands/call-server.ts";
import { KINDS } from "./kinds.ts";
import type { Choice, Seeding } from "./seeding.ts";

const USAGE = `npm run seed -- KIND [--seed NUMBER] [--url ADDRESS], where KIND is one of
  long-session [--events 100000]
  wide-plan [--calls 5000]
  deep-delegates
  many-conversations [--count 100000]
  production [--conversations 100000]`;

const LARGEST_SEED = 4_294_967_295;

/** The parsed command line. */
export interface Asked {
  make: (now: number) => Seeding;
  /** The server to post to. */
  url: string;
}

/** Parses a command line. Throws a `Refusal` with a remedy. */
export function readArguments(args: string[]): Asked {
  const { values, positionals } = parse(args);
  const [name, ...others] = positionals;
  const kind = name === undefined || !Object.hasOwn(KINDS, name) ? undefined : KINDS[name];
  if (!kind || others.length > 0) {
    throw new Refusal(name === undefined || kind ? USAGE : `There is no kind "${name}".\n${USAGE}`);
  }
  const { url = SERVER, seed = "1", ...sizes } = values;
  for (const option of Object.keys(sizes)) {
    if (option !== kind.size?.option) throw new Refusal(`${name} takes no --${option}.\n${USAGE}`);
  }
  const size = kind.size ? wholeNumber(sizes, kind.size) : 1;
  const choice: Omit<Choice, "now"> = { seed: within("seed", seed, 0, LARGEST_SEED), size };
  return { make: (now) => kind.make({ ...choice, now }), url: addressOf(url) };
}

function wholeNumber(
  given: Partial<Record<string, string>>,
  { option, usual, most }: { option: string; usual: number; most: number },
): number {
  const text = given[option];
  return text === undefined ? usual : within(option, text, 1, most);
}

function within(option: string, text: string, least: number, most: number): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Refusal(`--${option} takes a whole number from ${least} to ${most}, not "${text}".`);
}

function addressOf(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new Refusal(`--url takes the address of a server, as in http://127.0.0.1:3000, not "${text}".`);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        url: { type: "string" },
        seed: { type: "string" },
        events: { type: "string" },
        calls: { type: "string" },
        count: { type: "string" },
        conversations: { type: "string" },
      },
    });
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  }
}
