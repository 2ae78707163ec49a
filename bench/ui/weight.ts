import { deepDelegates } from "../../scripts/seed/deep-delegates.ts";
import { openPage } from "./open-page.ts";
import type { Figure, Subject } from "./subject.ts";

/** Scripts that are loaded later than this after the last one, ms, are not part of the first load. */
const QUIET_MS = 1_500;

/**
 * The compressed JavaScript of a first load, with headers and preloads. Workers load more: the stream's has 3 kB, the
 * graph's layout 353 kB.
 */
export async function measureWeight(subject: Subject, now: number): Promise<Figure[]> {
  const studio = await subject.seed(deepDelegates({ seed: 1, size: 1, now }));
  return [
    { what: "list: first load, JavaScript", measured: await weigh(subject, subject.server.address), target: "180 kB" },
    { what: "studio: first load, JavaScript", measured: await weigh(subject, studio), target: "400 kB" },
  ];
}

async function weigh({ browser }: Subject, address: string): Promise<string> {
  await using opened = await openPage(browser);
  const { page, cdp } = opened;
  const scripts = new Set<string>();
  let bytes = 0;
  let newest = performance.now();
  cdp.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Script") scripts.add(requestId);
  });
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (!scripts.has(requestId)) return;
    bytes += encodedDataLength;
    newest = performance.now();
  });
  await cdp.send("Network.enable");
  await page.goto(address);
  // The list is connected to the server, or the studio has its timeline.
  await page.locator("[data-connection=live], [role=slider]").first().waitFor();
  while (performance.now() - newest < QUIET_MS) await page.waitForTimeout(100);
  return `${(bytes / 1_000).toFixed(0)} kB in ${scripts.size} files`;
}
