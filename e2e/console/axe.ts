import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/**
 * Expects that axe finds nothing on the page as it stands. A page in the dark differs from the same in the light by its
 * colours alone: only these are looked at there, which takes half the time.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const scheme = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  // In frames of other origins, of which there are none, it would look by opening a page for each run.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (scheme === "dark" ? axe.withRules(["color-contrast"]) : axe).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
