import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const COLOURS = ["color-contrast"];

/**
 * Expects that axe reports nothing on the current page. Themes differ only in colors, which take half of the time to
 * check: colors are checked in the theme that is not shown, everything else in the current one. With a chosen theme
 * everything is checked in it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const other = await otherTheme(page);
  const violations = await look(page, other ? { without: COLOURS } : {});
  if (other) violations.push(...(await inTheme(page, other, () => look(page, { only: COLOURS }))));
  expect(violations).toEqual([]);
}

/** Expects that axe reports nothing on the current page, in either theme. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  const other = await otherTheme(page);
  const violations = await look(page, {});
  if (other) violations.push(...(await inTheme(page, other, () => look(page, { only: COLOURS }))));
  expect(violations).toEqual([]);
}

/** The theme that is not shown; null when one was chosen. */
async function otherTheme(page: Page): Promise<Theme | null> {
  const [theme, chosen] = await page.evaluate(() => [
    document.documentElement.dataset.theme,
    document.documentElement.dataset.themeChoice,
  ]);
  return chosen === "system" ? (THEMES.find((one) => one !== theme) ?? null) : null;
}

async function inTheme<T>(page: Page, theme: Theme, act: () => Promise<T>): Promise<T> {
  await show(page, theme);
  const done = await act();
  await show(page, theme === "dark" ? "light" : "dark");
  return done;
}

async function show(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
}

/** axe's violations: rule, theme and elements. */
async function look(page: Page, { only, without }: { only?: string[]; without?: string[] }): Promise<unknown[]> {
  // After a link it comes behind the page.
  await expect(page).toHaveTitle(/./);
  // For cross-origin frames, of which there are none, axe would open a page on each run.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  if (only) axe.withRules(only);
  if (without) axe.disableRules(without);
  const { violations } = await axe.analyze();
  const theme = await page.locator("html").getAttribute("data-theme");
  return violations.map(({ id, nodes }) => [id, theme, nodes.map(({ html }) => html)]);
}
