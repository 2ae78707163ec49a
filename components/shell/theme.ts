/** Light, dark, or as the reader's system has it. */
export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

/** Where a reader's choice is kept. */
export const THEME_COOKIE = "obelus-theme";

/** The theme that a cookie's value names; anything else is the system's. */
export function parseTheme(text: string | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? "system";
}

/**
 * Runs before the first paint, so that nothing flashes: resolves `data-theme-choice` on the root into `data-theme`,
 * and again whenever the choice or the system's theme changes. It alone writes `data-theme`.
 */
export const THEME_SCRIPT = `{
const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
const apply = () => { const choice = root.dataset.themeChoice; root.dataset.theme = choice === "system" ? (dark.matches ? "dark" : "light") : choice; };
apply();
dark.addEventListener("change", apply);
new MutationObserver(apply).observe(root, { attributeFilter: ["data-theme-choice"] });
}`;
