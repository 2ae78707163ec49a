import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "../setup/axe.ts";
import { test } from "../setup/test.ts";

const panel = (page: Page): Locator => page.getByRole("region", { name: "Imports and exports" });
const line = (page: Page, name: string): Locator => panel(page).getByRole("listitem").filter({ hasText: name });

/** A file of chats in OpenAI's format. */
function chats(prefix: string, count: number, length = 20) {
  const chat = (n: number) => ({
    id: `${prefix}-${n}`,
    messages: [{ role: "user", content: `${prefix} ${"word ".repeat(length)}` }],
  });
  const text = Array.from({ length: count }, (_, n) => `${JSON.stringify(chat(n))}\n`).join("");
  return { name: `${prefix}.jsonl`, mimeType: "application/jsonl", buffer: Buffer.from(text) };
}

async function openList(page: Page, address = "/"): Promise<void> {
  await page.goto(address);
  await expect(page.locator("[data-connection=live]")).toBeVisible();
}

/** Chooses files with the menu of the list. */
async function choose(page: Page, ...files: ReturnType<typeof chats>[]): Promise<void> {
  await page.getByRole("button", { name: "Import and export" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Import files…" }).click();
  await (await chooser).setFiles(files);
  await page.getByRole("dialog").getByRole("button", { name: "Import", exact: true }).click();
}

/** Open alerts. */
const openAlerts = async (page: Page): Promise<number> => (await (await page.request.get("/api/facets")).json()).alerts;

/** Delays the server's responses to imports until it is called. */
async function holdImports(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/import?*", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

test("C12: chosen files are imported one after another, and each shows what was imported and what existed", {
  tag: "@postgres",
}, async ({ page }) => {
  const name = `chosen-${randomUUID()}`;
  await openList(page);
  await choose(page, chats(name, 3), chats(`${name}-more`, 1));
  await expect(line(page, `${name}.jsonl`)).toContainText("3 conversations imported");
  await expect(line(page, `${name}-more.jsonl`)).toContainText("1 conversation imported");
  await expectAccessible(page);
  await choose(page, chats(name, 3));
  await expect(line(page, `${name}.jsonl`).last()).toContainText("Nothing new; 3 already exist");
  await line(page, `${name}.jsonl`)
    .first()
    .getByRole("link", { name: `${name}-0` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/conversations/${name}-0`));
  await expect(panel(page)).toBeVisible();
  await panel(page).getByRole("button", { name: "Close" }).click();
  await expect(panel(page)).toBeHidden();
});

test("C12: a file dropped on the list is imported, and an error in it is shown with its line and a remedy", async ({
  page,
}) => {
  const name = `dropped-${randomUUID()}`;
  await openList(page);
  const data = await page.evaluateHandle((file) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([`{"id": "${file}", "messages": []}\n{"id": 7`], `${file}.jsonl`));
    return transfer;
  }, name);
  await page.locator("main").dispatchEvent("dragover", { dataTransfer: data });
  await expect(page.getByText("Drop files to import their conversations")).toBeVisible();
  await expectAccessible(page);
  await page.locator("main").dispatchEvent("drop", { dataTransfer: data });
  await expect(page.getByText("Drop files to import their conversations")).toBeHidden();
  await expectAccessible(page);
  await page
    .getByRole("dialog", { name: "Import 1 file" })
    .getByRole("button", { name: "Import", exact: true })
    .click();
  await expect(line(page, name).getByRole("alert")).toContainText("Line 2: this is not JSON");
  expect((await page.request.get(`/api/conversations/${name}`)).status()).toBe(404);
});

test("C12: an import is history, unless its alerts are opened", async ({ page }) => {
  const name = `calls-${randomUUID()}`;
  const post = (type: string, payload: object) =>
    page.request.post("/api/events", { data: [{ conversation_id: name, type, payload }] });
  await post("manager.alerted", { text: "help" });
  const exported = await (await page.request.get(`/api/conversations/${name}/export`)).text();
  await post("conversation.handed_back", {});
  const before = await openAlerts(page);
  const renamed = (id: string) =>
    exported.replaceAll(name, id).replaceAll(/^\{"id":"[^"]+"/gm, () => `{"id":"${randomUUID()}"`);
  const file = (id: string) => ({
    ...{ name: `${id}.ndjson`, mimeType: "application/x-ndjson" },
    buffer: Buffer.from(renamed(id)),
  });
  await openList(page);
  await choose(page, file(`${name}-quiet`));
  await expect(line(page, `${name}-quiet`)).toContainText("1 conversation imported");
  expect(await openAlerts(page)).toBe(before);

  await page.locator("main").evaluate(
    (main, { text, called }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], called));
      main.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
    },
    { text: renamed(`${name}-loud`), called: `${name}-loud.ndjson` },
  );
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Open alerts and approvals of the import" }).check();
  await dialog.getByRole("button", { name: "Import", exact: true }).click();
  await expect(line(page, `${name}-loud`)).toContainText("1 conversation imported");
  expect(await openAlerts(page)).toBe(before + 1);
});

test("C12: an import continues across navigation, asks before its tab is closed, and can be cancelled", async ({
  page,
}) => {
  const name = `held-${randomUUID()}`;
  await openList(page);
  const release = await holdImports(page);
  await choose(page, chats(name, 2), chats(`${name}-next`, 1));
  await expect(line(page, `${name}-next`)).toContainText("Queued behind another file");
  await page.getByRole("link", { name: "Approvals" }).click();
  await expect(page).toHaveURL(/approvals/);
  await expect(panel(page).getByRole("heading")).toHaveText("2 files in progress");

  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => {
    setTimeout(() => window.location.reload());
  });
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();

  await panel(page)
    .getByRole("button", { name: `Cancel ${name}.jsonl` })
    .click();
  await expect(line(page, `${name}.jsonl`)).toContainText("Cancelled. Nothing was imported");
  release();
  await expect(line(page, `${name}-next`)).toContainText("1 conversation imported");
  expect((await page.request.get(`/api/conversations/${name}-0`)).status()).toBe(404);
});

test("C12: a large import shows the server's progress", async ({ page }) => {
  const name = `large-${randomUUID()}`;
  await openList(page);
  await choose(page, chats(name, 8_000, 200));
  await expect(line(page, name)).toContainText(/read: [\d,]+ conversation|Stored: [\d,]+ of/);
  await expect(line(page, name).getByRole("progressbar")).toBeVisible();
  await expect(line(page, name)).toContainText("8,000 conversations imported");
  await expect(line(page, name)).toContainText("and 7,997 more");
});

test("E14: matching conversations are exported to a file, by the page or by the browser's download", {
  tag: "@postgres",
}, async ({ page }) => {
  const name = `exported-${randomUUID()}`;
  await page.request.post("/api/import", {
    headers: { "content-type": "application/x-ndjson" },
    data: chats(name, 3).buffer,
  });
  // A test cannot use the browser's file dialog: the file is in the page's own storage.
  await page.addInitScript(() => {
    window.showSaveFilePicker = async ({ suggestedName }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true });
  });
  await openList(page, `/?q=${name}`);
  const menu = page.getByRole("button", { name: "Import and export" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Export matching conversations" }).click();
  await expect(panel(page)).toContainText("3 conversations saved");
  const written = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle(`obelus-${new Date().toISOString().slice(0, 10)}.ndjson`);
    return (await file.getFile()).text();
  });
  expect(written).toBe(await (await page.request.get(`/api/export?q=${name}`)).text());

  await page.evaluate(() => {
    window.showSaveFilePicker = undefined;
  });
  await menu.click();
  const coming = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Export matching conversations" }).click();
  expect(await readFile(await (await coming).path(), "utf8")).toBe(written);
});

test("C12: in Russian", async ({ page, context, baseURL }) => {
  await context.addCookies([{ name: "obelus-locale", value: "ru", url: baseURL ?? "" }]);
  const name = `russian-${randomUUID()}`;
  await openList(page);
  await page.getByRole("button", { name: "Импорт и экспорт" }).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("menuitem", { name: "Импортировать файлы…" }).click();
  await (await chooser).setFiles([chats(name, 2)]);
  await page.getByRole("dialog").getByRole("button", { name: "Импортировать" }).click();
  await expect(page.getByRole("region", { name: "Импорт и экспорт" })).toContainText("Добавлено 2 диалога");
});
