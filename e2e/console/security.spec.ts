import { test as anyhow, expect, type Page } from "@playwright/test";
import { PAGES } from "../api/setup/matrix.ts";
import { test, waitIn } from "./setup/test.ts";

/** Placeholders of addresses. */
const addressOf = (page: string) => page.replace("[id]", "demo-refund-88412");

/** Content with which people or agents might attack a reader's browser. */
const HOSTILE = [
  "[click](javascript:window.broken=1) [data](data:text/html,<script>window.broken=1</script>) [vb](vbscript:x)",
  '<img src=x onerror="window.broken=1"><svg onload="window.broken=1"><script>window.broken=1</script>',
  '<iframe srcdoc="<script>parent.broken=1</script>"></iframe><form action=//evil.example><button>Go</button></form>',
  "![pixel](https://evil.example/pixel.png) <style>body{display:none}</style> <base href=//evil.example>",
  '[x](\u0001javascript:window.broken=1) [y](java\nscript:window.broken=1) <a href="JaVaScRiPt:window.broken=1">z</a>',
  "</script><script>window.broken=1</script> {{constructor.constructor('window.broken=1')()}} \u2028 <!--",
].join("\n\n");

test("Security: no page violates its Content-Security-Policy or sends requests elsewhere", async ({
  page,
  baseURL,
}) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && origin !== baseURL) elsewhere.push(request.url());
  });
  for (const address of Object.keys(PAGES)) {
    await page.goto(addressOf(address));
    await expect(page.getByRole("main")).toBeVisible();
  }
  expect(elsewhere).toEqual([]);
});

test("Security: graph worker, images, editor, dialogs and exports comply with the policy", async ({ page }) => {
  await page.goto("/conversations/demo-refund-88412");
  await expect(page.locator(".pg-node").first()).toBeVisible();
  for (const item of ["As SVG", "As PNG"]) {
    await page.getByRole("button", { name: "Export the plan" }).click();
    const coming = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: item }).click();
    await coming;
  }
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goto("/plans");
  await page.getByRole("textbox", { name: "Plan as JSON" }).click();
  await page.keyboard.press("Control+Space");
  await page.keyboard.press("Control+f");
  // Its styles are applied: without them a line is not a flex item.
  expect(
    await page
      .locator(".cm-scroller")
      .first()
      .evaluate((each) => getComputedStyle(each).display),
  ).toBe("flex");
});

test("Security: injected markup stays text", async ({ page, baseURL }) => {
  const id = `hostile-${Date.now()}`;
  const said = (n: number, role: string) => ({
    ...{ id: `${id}-${n}`, conversation_id: id, type: "message.created" },
    payload: { message_id: `${id}-${n}`, role, content: HOSTILE },
  });
  const created = {
    id: `${id}-0`,
    conversation_id: id,
    type: "conversation.created",
    payload: { title: HOSTILE.slice(0, 190) },
  };
  const events = [created, said(1, "user"), said(2, "assistant"), said(3, "operator")];
  expect((await page.request.post(`${baseURL}/api/events`, { data: events })).status()).toBe(201);
  for (const address of [`/conversations/${id}`, `/conversations/${id}/transcript`, "/"]) {
    await page.goto(address);
    await expect(page.getByText("window.broken=1").first()).toBeVisible();
    expect(await dangerous(page)).toEqual([]);
  }
});

/** Foreign scripts, javascript: addresses, event handlers, and remote images. */
function dangerous(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = "broken" in window ? ["It has run"] : [];
    for (const element of document.body.querySelectorAll("*")) {
      const handlers = element.getAttributeNames().filter((name) => name.startsWith("on"));
      const address =
        element.getAttribute("href") ?? element.getAttribute("src") ?? element.getAttribute("action") ?? "";
      const runs = /^[\s\p{Cc}]*(javascript|data:text|vbscript)/iu.test(address);
      const isForeign = element.tagName !== "A" && /^(https?:)?\/\/(?!127\.0\.0\.1)/.test(address);
      const isStrange = ["IFRAME", "OBJECT", "EMBED", "BASE"].includes(element.tagName);
      if (handlers.length > 0 || runs || isForeign || isStrange) found.push(element.outerHTML.slice(0, 200));
    }
    return found;
  });
}

anyhow(
  "Security: the policy holds: styles and scripts that somebody has got into a page do nothing",
  async ({ page }) => {
    await waitIn(page).goto("/agents");
    const done = await page.evaluate(() => {
      const style = document.createElement("style");
      style.textContent = "body { color: rgb(1, 2, 3) }";
      const script = document.createElement("script");
      script.textContent = "window.broken = 1";
      document.head.append(style, script);
      const button = document.createElement("button");
      button.setAttribute("onclick", "window.broken = 1");
      document.body.append(button);
      button.click();
      return { color: getComputedStyle(document.body).color, broken: "broken" in window };
    });
    expect(done.color).not.toBe("rgb(1, 2, 3)");
    expect(done.broken).toBe(false);
  },
);
