import { expect, type Page } from "@playwright/test";
import axe, { type RunOptions } from "axe-core";

declare global {
  interface Window {
    axe?: typeof axe;
  }
}

const THEMES = ["light", "dark"] as const;
type Theme = (typeof THEMES)[number];

/**
 * Expects that axe reports nothing on the current page, in the theme that is not shown: themes differ only in colors.
 * With a chosen theme the page is checked in it.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const other = await otherTheme(page);
  expect(await (other ? inTheme(page, other, () => look(page)) : look(page))).toEqual([]);
}

/** Expects that axe reports nothing on the current page, in either theme. Colors take half of the time. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  const other = await otherTheme(page);
  const violations = await look(page);
  if (other) violations.push(...(await inTheme(page, other, () => look(page, { runOnly: ["color-contrast"] }))));
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
async function look(page: Page, options: RunOptions = {}): Promise<unknown[]> {
  // After a link it comes behind the page.
  await expect(page).toHaveTitle(/./);
  // Its 580 kB take a page 40 ms of CPU each time.
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(axe.source);
  return page.evaluate(
    async (given) => {
      const found = await window.axe?.run(document, given);
      if (!found) throw new Error("The page has been left");
      const { theme } = document.documentElement.dataset;
      return found.violations.map(({ id, nodes }) => [id, theme, nodes.map(({ html }) => html)]);
    },
    {
      resultTypes: ["violations"],
      ...options,
    } satisfies RunOptions,
  );
}
