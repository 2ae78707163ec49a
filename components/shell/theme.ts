/** Light, dark, or the system's theme. */
export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

/** The cookie of the choice. */
export const THEME_COOKIE = "obelus-theme";

/** The theme of a cookie's value; the system's by default. */
export function parseTheme(text: string | undefined): Theme {
  return THEMES.find((theme) => theme === text) ?? "system";
}

/**
 * Runs before the first paint to avoid a flash: resolves `data-theme-choice` on the root into `data-theme`, also when
 * the choice or the system's theme changes. Nothing else writes `data-theme`.
 */
export const THEME_SCRIPT = `{
const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
const apply = () => { const choice = root.dataset.themeChoice; root.dataset.theme = choice === "system" ? (dark.matches ? "dark" : "light") : choice; };
apply();
dark.addEventListener("change", apply);
new MutationObserver(apply).observe(root, { attributeFilter: ["data-theme-choice"] });
}`;
