import { chromium } from "@playwright/test";
import { findChromium } from "/work/wt-scores/scripts/chromium.mjs";
const base = process.argv[2]; const shots = JSON.parse(process.argv[3]);
const browser = await chromium.launch({ executablePath: await findChromium() });
for (const { name, path, width = 1440, height = 900, theme = "light", lang = "en", click } of shots) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, locale: lang });
  await context.addCookies([{ name: "obelus-language", value: lang, url: base }, { name: "locale", value: lang, url: base }]);
  const page = await context.newPage();
  page.on("console", (m) => m.type() === "error" && console.log(name, m.text().slice(0, 300)));
  await page.goto(base + path, { waitUntil: "load" }).catch((e) => console.log(String(e)));
  await page.waitForTimeout(2500); for (const c of click ?? []) await page.locator(c).first().click({ timeout: 5000 }).catch((e) => console.log(name, String(e).slice(0, 200)));
  await page.waitForTimeout(1500);
  await page.screenshot({ path: `/tmp/shots/${name}.png` });
  await context.close();
}
await browser.close();
