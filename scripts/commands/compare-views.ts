import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { callServer, Refusal } from "./call-server.ts";

/**
 * Compares the views of two servers on the same data, such as the previous release and this one: `node
 * scripts/commands/compare-views.ts URL URL`. Each conversation of the first server is compared at its end and at three earlier
 * steps. The exit code is 1 if a response differs.
 */

const USAGE = "Usage: node scripts/commands/compare-views.ts URL URL, with two running servers.";

/** The earlier steps, as shares of a session's length. */
const EARLIER = [0.2, 0.5, 0.8];

const conversations = z.object({
  items: z.array(z.object({ id: z.string(), last_seq: z.number() })),
  next: z.string().nullable(),
});

/**
 * The paths whose responses differ between the servers `before` and `after`, and the number compared. Throws a
 * `Refusal`.
 */
export async function compareViews(
  before: string,
  after: string,
  onDifference: (path: string) => void,
): Promise<number> {
  let compared = 0;
  const compare = async (path: string): Promise<unknown> => {
    const [expected, found] = await Promise.all([before, after].map((server) => answer(server, path)));
    compared += 1;
    if (!isDeepStrictEqual(expected, found)) onDifference(path);
    return expected;
  };
  for (const path of ["/api/facets", "/api/confirmations", "/api/alerts"]) await compare(path);
  let cursor: string | null = "";
  while (cursor !== null) {
    const after = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = conversations.parse(await compare(`/api/conversations?limit=100${after}`));
    for (const { id, last_seq } of page.items)
      for (const part of pathsOf(last_seq)) await compare(`/api/conversations/${encodeURIComponent(id)}${part}`);
    cursor = page.next;
  }
  return compared;
}

function pathsOf(lastSeq: number): string[] {
  return [
    ...["", "/view", "/messages?limit=200", "/events?limit=1000", "/timeline", "/tokens", "/inferred-edges", "/map"],
    ...EARLIER.map((part) => `/view?at=${Math.max(1, Math.floor(lastSeq * part))}`),
  ];
}

async function answer(server: string, path: string): Promise<unknown> {
  return (await callServer(path, { server })).json();
}

if (import.meta.main) {
  try {
    const [before, after, ...others] = process.argv.slice(2);
    if (before === undefined || after === undefined || others.length > 0) throw new Refusal(USAGE);
    let different = 0;
    const compared = await compareViews(before, after, (path) => {
      different += 1;
      console.log(`differs: ${path}`);
    });
    console.log(`${compared} answers compared, ${different} different.`);
    if (different > 0) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
