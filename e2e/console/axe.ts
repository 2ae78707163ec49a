import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/**
 * Expects that axe finds nothing on the page as it stands, in either theme. The themes differ by their colours alone: in
 * the second one only these are looked at, which takes half the time. Whoever has chosen a theme is looked at in that one.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const [theme, chosen] = await page.evaluate(() => [
    document.documentElement.dataset.theme,
    document.documentElement.dataset.themeChoice,
  ]);
  const violations = await look(page);
  const other = THEMES.find((one) => one !== theme);
  if (chosen === "system" && other) {
    await show(page, other);
    violations.push(...(await look(page, ["color-contrast"])));
    await show(page, theme === "dark" ? "dark" : "light");
  }
  expect(violations).toEqual([]);
}

async function show(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** What axe finds: the rule, the theme, and the elements. */
async function look(page: Page, rules?: string[]): Promise<unknown[]> {
  // In frames of other origins, of which there are none, it would look by opening a page for each run.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  const theme = await page.locator("html").getAttribute("data-theme");
  return violations.map(({ id, nodes }) => [id, theme, nodes.map(({ html }) => html)]);
}
