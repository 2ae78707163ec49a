import { expect } from "@playwright/test";
import {
  button,
  field,
  fresh,
  history,
  list,
  open,
  panel,
  pathOf,
  put,
  stored,
  tab,
  told,
} from "../setup/agent-page.ts";
import { test } from "../setup/test.ts";

test("E12: a concurrent change of a key is not overwritten: base, theirs and mine are shown", {
  tag: "@postgres",
}, async ({ page, request }) => {
  const agent = fresh("clash");
  const base = { stage: "new", amount: 100, owner: "anna" };
  await put(request, agent, "deal", base);
  await open(page, agent, "deal");
  await tab(page, "Edit").click();
  await field(page).fill(JSON.stringify({ ...base, amount: 150, mine: true }));
  await put(request, agent, "deal", { ...base, amount: 120, owner: "boris" });
  // It is announced, and the edit is kept.
  await expect(page.getByText("Version 2 was saved in the meantime.")).toBeVisible();
  await expect(field(page)).toHaveValue(/150/);

  await button(page, "Save").click();
  await expect(told(page)).toContainText("Someone else changed this value");
  await expect(told(page)).toContainText("You both changed 1 value.");
  const row = (place: string) => page.getByRole("row", { name: new RegExp(`^${place}`) }).getByRole("cell");
  await expect(row("amount")).toHaveText(["100", /120/, /150/]);
  await expect(row("owner")).toHaveText(['"anna"', /"boris"/, '"anna"']);
  await expect(row("mine")).toHaveText(["none", "none", /true/]);
  expect(await stored(request, agent, "deal")).toEqual({ ...base, amount: 120, owner: "boris" });

  await button(page, "Keep editing").click();
  await field(page).fill(JSON.stringify({ ...base, amount: 170, owner: "boris" }));
  await put(request, agent, "deal", { ...base, amount: 130 });
  await button(page, "Save").click();
  await expect(row("amount")).toHaveText(["120", /130/, /170/]);
  await button(page, "Overwrite with mine").click();
  await expect(page.getByText("Saved as version 4")).toBeVisible();
  expect(await stored(request, agent, "deal")).toEqual({ ...base, amount: 170, owner: "boris" });
});

test("E12: their version can be taken, and a concurrent deletion is reported", async ({ page, request }) => {
  const agent = fresh("clash");
  await put(request, agent, "deal", { amount: 100 });
  await open(page, agent, "deal", "&tab=edit");
  await field(page).fill('{ "amount": 150 }');
  await put(request, agent, "deal", { amount: 120 });
  await button(page, "Compare").click();
  await button(page, "Take theirs").click();
  await expect(panel(page).getByRole("treeitem")).toHaveText(/120/);

  await tab(page, "Edit").click();
  await field(page).fill('{ "amount": 160 }');
  expect((await request.delete(pathOf(agent, "deal"))).status()).toBe(204);
  await button(page, "Save").click();
  await expect(told(page)).toContainText("Someone else deleted this value");
  await button(page, "Overwrite with mine").click();
  await expect(page.getByText(/Saved as version/)).toBeVisible();
  expect(await stored(request, agent, "deal")).toEqual({ amount: 160 });
});

test("C8, E13: a new version is shown and announced; a reader of an old version stays there", async ({
  page,
  request,
}) => {
  const agent = fresh("live");
  await put(request, agent, "counter", { count: 1 });
  await open(page, agent, "counter");
  await put(request, agent, "counter", { count: 2 });
  await expect(page.getByRole("status").filter({ hasText: "Version 2 is available." })).toBeVisible();
  await expect(panel(page).getByRole("treeitem")).toHaveText(/2/);
  await button(page, "Show changes").click();
  await expect(panel(page).getByRole("listitem")).toHaveText(/count\s*1 → 2/);

  await open(page, agent, "counter", `&version=1&tab=json&q=${agent}`);
  await put(request, agent, "counter", { count: 3 });
  await expect(history(page).getByRole("listitem")).toHaveCount(3);
  await expect(panel(page).getByRole("treeitem")).toHaveText(/count:\s*1/);
  // A new key appears in the list.
  await put(request, agent, "another", true);
  await expect(list(page).getByRole("link", { name: /another/ })).toBeVisible();
});

test("C12: loading a value can be retried, and an edit that cannot be saved is kept", async ({ page, request }) => {
  const agent = fresh("offline");
  await put(request, agent, "a", 1);
  await put(request, agent, "b", 2);
  await open(page, agent, "a", `&q=${agent}`);
  await page.route("**/api/agent-state/**", (route) => route.abort());
  await list(page).getByRole("link", { name: /^b / }).click();
  await expect(page.getByRole("heading", { name: "Could not load the value" })).toBeVisible();
  await page.unroute("**/api/agent-state/**");
  await button(page, "Try again").click();
  await expect(panel(page).getByRole("treeitem")).toHaveText("2");

  await tab(page, "Edit").click();
  await field(page).fill("3");
  await page.route("**/api/agent-state/**", (route) => route.abort());
  await button(page, "Save").click();
  await expect(told(page)).toContainText("Nothing was saved");
  await expect(field(page)).toHaveValue("3");
  await page.unroute("**/api/agent-state/**");
  await button(page, "Save").click();
  await expect(page.getByText("Saved as version 2")).toBeVisible();
});
