import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { startServerProcess } from "../../scripts/server-process.ts";
import type { CallerName } from "../api/setup/matrix.ts";
import { addPeople, type Credentials, cookieOf, PASSWORD } from "../api/setup/people.ts";
import { expectAccessible } from "./setup/axe.ts";
import { decision, detail } from "./setup/inbox.ts";
import { test as base, sendNow, takenOver } from "./setup/test.ts";

/** A server with sign-in and one user per role, named by it. */
interface Guarded {
  address: string;
  callers: Map<CallerName, Credentials>;
}

const test = base.extend<object, { guarded: Guarded }>({
  guarded: [
    async ({ browserName: _ }, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), "obelus-access-"));
      const callers = await addPeople(dataDir);
      const server = await startServerProcess(dataDir, { env: { OBELUS_AUTH: "1" } });
      await use({ address: server.address, callers });
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  baseURL: ({ guarded }, use) => use(guarded.address),
});

const menu = (page: Page): Locator =>
  page.getByRole("banner").getByRole("button", { name: /^(viewer|operator|admin),/ });
const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole("dialog", { name });

/** Sets the session cookie of a signed-in user. */
async function comeAs(page: Page, { address }: Guarded, name: "viewer" | "operator" | "admin"): Promise<void> {
  const { cookie = "" } = await cookieOf(address, name);
  const [key = "", value = ""] = cookie.split(/=(.*)/s);
  await page.context().addCookies([{ name: key, value, url: address }]);
}

/** Fills in and submits the form. */
async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** An external agent requests an approval, with its key. */
async function ask({ address, callers }: Guarded, what: string): Promise<void> {
  const payload = { confirmation_id: what, key: what, description: what, action: { method: "crm", params: {} } };
  const answer = await fetch(`${address}/api/events`, {
    method: "POST",
    headers: { "content-type": "application/json", ...callers.get("ingest") },
    body: JSON.stringify({ conversation_id: `about ${what}`, type: "confirmation.requested", run_id: "run", payload }),
  });
  expect(answer.status).toBe(201);
}

/** Sends an API request as a user. */
async function get({ address }: Guarded, path: string, headers: Credentials) {
  const answer = await fetch(`${address}${path}`, { headers });
  return { status: answer.status, body: await answer.json() };
}

test("Security: a link to an approval leads through sign-in to it, and the decision names the user", async ({
  page,
  guarded,
}) => {
  await ask(guarded, "raise-deal");
  await page.goto("/approvals?selected=raise-deal");
  await expect(page).toHaveURL(/\/sign-in\?to=/);
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
  await expectAccessible(page);

  await signIn(page, "operator", "not the password");
  await expect(page.getByRole("main").getByRole("alert")).toHaveText("Wrong name or password.");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue("not the password");
  await signIn(page, "operator", PASSWORD);

  await expect(page).toHaveURL(/\/approvals\?selected=raise-deal$/);
  await takenOver(page);
  await expect(detail(page).getByRole("heading", { name: "raise-deal" })).toBeVisible();
  await decision(page).getByRole("button", { name: "Approve", exact: false }).first().click();
  await sendNow(page);
  await expect
    .poll(async () => (await get(guarded, "/api/confirmations", guarded.callers.get("read") ?? {})).body.items)
    .toContainEqual(expect.objectContaining({ id: "raise-deal", status: "approved", decided_by: "operator:operator" }));

  await menu(page).click();
  await expect(page.getByRole("menuitem", { name: "Users" })).toHaveCount(0);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto("/agents");
  await expect(page).toHaveURL(/\/sign-in\?to=%2Fagents$/);
});

test("Security: a viewer's controls are disabled, with the reason", async ({ page, guarded }) => {
  await ask(guarded, "lower-deal");
  await comeAs(page, guarded, "viewer");
  await page.goto("/approvals?selected=lower-deal");
  await expect(detail(page).getByRole("heading", { name: "lower-deal" })).toBeVisible();
  await expect(decision(page)).toHaveText("Viewers can only read.");
  await expect(page.getByRole("checkbox")).toHaveCount(0);
  for (const key of ["x", "a", "d", "e"]) await page.keyboard.press(key);
  await expect(page.getByRole("region", { name: "Bulk decision" })).toHaveCount(0);
  await expect(page.getByRole("textbox")).toHaveCount(0);

  await page.goto("/conversations/demo-wrong-size");
  await expect(page.getByRole("banner").getByRole("button", { name: /^Fork from step/ })).toBeDisabled();
  await expect(page.getByText("Viewers can only read.").first()).toBeVisible();
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expectAccessible(page);

  await page.goto("/");
  await expect(page.locator("[data-connection=live]")).toBeVisible();
  await expect(page.getByRole("link", { name: "New conversation" })).toHaveCount(0);
  await page.keyboard.press("n");
  await page.keyboard.press("Control+k");
  await expect(dialog(page, "Commands").getByRole("option", { name: /^Approvals/ })).toBeVisible();
  await expect(dialog(page, "Commands").getByRole("option", { name: /Users|Import|New conversation/ })).toHaveCount(0);

  const response = await page.goto("/admin/users");
  expect(response?.status()).toBe(403);
  await expect(page.getByRole("heading", { name: "Administrators only" })).toBeVisible();
  await expectAccessible(page);
});

test("Security: an administrator adds users, and creates an API key that is shown once and can be revoked", {
  tag: "@postgres",
}, async ({ page, guarded }) => {
  await comeAs(page, guarded, "admin");
  await page.goto("/");
  await menu(page).click();
  await page.getByRole("menuitem", { name: "Users" }).click();
  await expect(page.getByRole("heading", { name: "Users", level: 1 })).toBeVisible();
  await page.getByRole("button", { name: "Add user" }).click();
  await dialog(page, "Add user").getByLabel("Name").fill("Vera");
  await dialog(page, "Add user")
    .getByRole("radio", { name: /^operator/ })
    .check();
  await dialog(page, "Add user").getByRole("button", { name: "Add", exact: true }).click();
  await expect(dialog(page, "Add user").getByRole("alert")).toContainText("At least 10 characters");
  await dialog(page, "Add user").getByRole("button", { name: "Generate" }).click();
  const password = await dialog(page, "Add user").getByLabel("Password").inputValue();
  expect(password.length).toBeGreaterThanOrEqual(16);
  await expectAccessible(page);
  await dialog(page, "Add user").getByRole("button", { name: "Add", exact: true }).click();
  const vera = page.getByRole("row", { name: /^Vera/ });
  await expect(vera).toContainText("operator");
  await expectAccessible(page);

  await page.getByRole("button", { name: "Actions for admin" }).click();
  await page.getByRole("menuitem", { name: "Remove…" }).click();
  await dialog(page, "Remove admin?").getByRole("button", { name: "Remove" }).click();
  await expect(dialog(page, "Remove admin?").getByRole("alert")).toContainText("last administrator");
  await page.keyboard.press("Escape");

  await page.getByRole("link", { name: "API keys" }).click();
  await page.getByRole("button", { name: "Create key" }).click();
  await dialog(page, "Create key").getByLabel("Name").fill("billing");
  await dialog(page, "Create key").getByRole("checkbox", { name: /^read/ }).check();
  await dialog(page, "Create key").getByRole("button", { name: "Create", exact: true }).click();
  const shown = dialog(page, "Key billing");
  const key = await shown.getByRole("textbox", { name: "Key" }).inputValue();
  const bearer = { authorization: `Bearer ${key}` };
  expect((await get(guarded, "/api/conversations", bearer)).status).toBe(200);
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await shown.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row", { name: /^billing/ });
  await expect(row).toContainText("ingest");
  await expectAccessible(page);
  await page.reload();
  expect(await page.content()).not.toContain(key);

  await row.getByRole("button", { name: "Revoke billing" }).click();
  await dialog(page, "Revoke billing").getByRole("button", { name: "Revoke" }).click();
  await expect(row).toHaveAttribute("data-standing", "revoked");
  expect((await get(guarded, "/api/conversations", bearer)).status).toBe(401);
});

test("Security: a user whose role changes is told at once, keeps what they typed, and can sign in again", {
  tag: "@postgres",
}, async ({ page, guarded }) => {
  await comeAs(page, guarded, "operator");
  await page.goto("/conversations/demo-wrong-size");
  const box = page.getByRole("textbox", { name: /demo/i }).or(page.locator("#write"));
  await box.first().fill("Half a senten");
  const admin = await cookieOf(guarded.address, "admin");
  const { body } = await get(guarded, "/api/users", admin);
  const { id } = body.items.find(({ name }: { name: string }) => name === "operator");
  const change = (role: string) =>
    fetch(`${guarded.address}/api/users/${id}`, {
      method: "PUT",
      headers: { ...admin, "content-type": "application/json" },
      body: JSON.stringify({ role }),
    });
  expect((await change("viewer")).status).toBe(200);

  const told = page.getByRole("alert").filter({ hasText: "You are signed out" });
  await expect(told).toBeVisible();
  await expect(box.first()).toHaveValue("Half a senten");
  await told.getByRole("link", { name: "Sign in" }).click();
  await signIn(page, "operator", PASSWORD);
  await expect(page).toHaveURL(/\/conversations\/demo-wrong-size/);
  await expect(page.getByRole("banner").getByRole("button", { name: /^Fork from step/ })).toBeDisabled();

  // Signed out again, and signed in as an operator in another tab: the page continues.
  expect((await change("operator")).status).toBe(200);
  await expect(told).toBeVisible();
  await comeAs(page, guarded, "operator");
  // Another request may be answered before the stream is connected.
  const found = page.waitForResponse((answer) => answer.url().includes("/api/conversations?") && answer.ok());
  await page.keyboard.press("Control+k");
  await found;
  await page.keyboard.press("Escape");
  await expect(told).toHaveCount(0);
  await expect(page.getByRole("banner").getByRole("button", { name: /^Fork from step/ })).toBeEnabled();
  await expect(page.locator("#write")).toHaveValue("Half a senten");
});

test("Security: a user changes their own password, and their other browsers are signed out", async ({
  page,
  guarded,
}) => {
  await comeAs(page, guarded, "viewer");
  const other = await cookieOf(guarded.address, "viewer");
  await page.goto("/agents");
  const change = async (current: string, wanted: string, again = wanted) => {
    await menu(page).click();
    await page.getByRole("menuitem", { name: "Change password…" }).click();
    const asked = dialog(page, "Change password");
    await asked.getByLabel("Current password").fill(current);
    await asked.getByLabel("New password", { exact: true }).fill(wanted);
    await asked.getByLabel("Repeat new password").fill(again);
    await asked.getByRole("button", { name: "Change" }).click();
    return asked;
  };
  let asked = await change("wrong", "short");
  await expect(asked.getByRole("alert")).toHaveText("At least 10 characters.");
  await asked.getByLabel("New password", { exact: true }).fill("long enough to be one");
  await asked.getByLabel("Repeat new password").fill("long enough to be another");
  await asked.getByRole("button", { name: "Change" }).click();
  await expect(asked.getByRole("alert")).toHaveText("The passwords do not match.");
  await asked.getByLabel("Repeat new password").fill("long enough to be one");
  await asked.getByRole("button", { name: "Change" }).click();
  await expect(asked.getByRole("alert")).toHaveText("Wrong current password.");
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  asked = await change(PASSWORD, "long enough to be one");
  await expect(asked.getByRole("status")).toContainText("Password changed");
  expect((await get(guarded, "/api/me", other)).status).toBe(401);
  await asked.getByRole("button", { name: "Close" }).click();
  asked = await change("long enough to be one", PASSWORD);
  await expect(asked.getByRole("status")).toContainText("Password changed");
});

test("Security: after too many sign-in attempts a countdown is shown; in Russian and in dark mode", async ({
  page,
  guarded: { address },
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.context().addCookies([{ name: "obelus-locale", value: "ru", url: address }]);
  await page.goto("/sign-in?to=//elsewhere.example&error=no_role");
  await expect(page.getByRole("heading", { name: "Вход" })).toBeVisible();
  // The free attempts, and one more.
  const wrong = { name: "guesser", password: "not the password" };
  const guess = () =>
    fetch(`${address}/api/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: address },
      body: JSON.stringify(wrong),
    });
  await Promise.all(Array.from({ length: 6 }, guess));
  await page.getByLabel("Имя", { exact: true }).fill(wrong.name);
  await page.getByLabel("Пароль", { exact: true }).fill(wrong.password);
  await page.getByRole("button", { name: "Войти", exact: true }).click();
  const said = page.getByRole("main").getByRole("alert");
  await expect(said).toContainText("Слишком много попыток");
  expect(Number(/\d+/.exec((await said.textContent()) ?? "")?.[0])).toBeGreaterThan(0);
  await expect(page.getByRole("button", { name: "Войти", exact: true })).toBeDisabled();
  await expectAccessible(page);
  await expect(page.getByRole("button", { name: "Войти", exact: true })).toBeEnabled();

  await page.getByLabel("Имя", { exact: true }).fill("viewer");
  await page.getByLabel("Пароль", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Войти", exact: true }).click();
  await expect(page).toHaveURL(`${address}/`);
});
