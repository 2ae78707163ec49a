import { afterEach, beforeEach, expect, test } from "vitest";
import { openPortal, read, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

test("M14: commands of a batch refer to results of earlier ones", async () => {
  const cmd = {
    deal: "crm.deal.get?id=123",
    contact: "crm.contact.get?id=$result[deal][CONTACT_ID]",
    tasks: "tasks.task.list?filter[UF_CRM_TASK]=D_$result[deal][ID]&select[]=ID&order[ID]=ASC",
    first: "tasks.task.get?taskId=$result[tasks][tasks][0][id]&select[]=TITLE",
    added: "crm.deal.add?fields[TITLE]=Second for $result[contact][NAME]&fields[CONTACT_ID]=$result[contact][ID]",
    again: "crm.deal.get?id=$result[added]",
  };
  expect(await portal.result("batch", { cmd })).toMatchObject({
    result: {
      contact: { LAST_NAME: "Власов" },
      tasks: { tasks: [{ id: "456" }, { id: "789" }] },
      first: { task: { id: "456" } },
      again: { TITLE: "Second for Сергей", CONTACT_ID: "456" },
    },
    result_error: [],
    result_total: { tasks: 2 },
    result_next: [],
    result_time: { deal: { duration: expect.any(Number) } },
  });
});

test("M14: a failed command is in result_error, and the others run", async () => {
  const cmd = {
    a: "crm.deal.update?id=123&fields[OPPORTUNITY]=90000",
    b: "crm.deal.update?id=123&fields[OPPORTUNITY]=1&fields[STAGE_ID]=NOWHERE",
    c: "crm.deal.get?id=$result[b][ID]",
    d: "crm.deal.destroy",
    e: "crm.deal.get?id=123",
  };
  expect(await portal.result("batch", { halt: 0, cmd })).toMatchObject({
    result: { a: true, e: { OPPORTUNITY: "90000.00" } },
    result_error: {
      b: { error: "", error_description: 'Invalid value for the "Deal stage" field' },
      c: { error: "", error_description: "ID is not defined or invalid." },
      d: { error: "ERROR_METHOD_NOT_FOUND", error_description: "Method not found!" },
    },
  });
});

test.each([1, "1", true])("M14: halt %j ends a batch at the first failure", async (halt) => {
  const cmd = { a: "user.current", b: "crm.deal.get?id=9", c: "crm.deal.update?id=123&fields[OPPORTUNITY]=1" };
  const { result, result_error } = Object(await portal.result("batch", { halt, cmd }));
  expect(Object.keys(result)).toEqual(["a"]);
  expect(Object.keys(result_error)).toEqual(["b"]);
  expect(await portal.result("crm.deal.get", { id: 123 })).toMatchObject({ OPPORTUNITY: "85000.00" });
});

test("M14: batches cannot be nested, and have at most 50 commands", async () => {
  const cmd = Object.fromEntries(Array.from({ length: 52 }, (_, index) => [`c${index}`, "user.current"]));
  const { result, result_error } = Object(
    await portal.result("batch", { cmd: { ...cmd, c3: "batch?cmd[a]=user.current" } }),
  );
  expect(Object.keys(result)).toHaveLength(49);
  expect(result_error).toEqual({
    c3: { error: "ERROR_BATCH_METHOD_NOT_ALLOWED", error_description: "Method is not allowed for batch usage" },
    c50: { error: "ERROR_BATCH_LENGTH_EXCEEDED", error_description: "Max batch length exceeded" },
    c51: { error: "ERROR_BATCH_LENGTH_EXCEEDED", error_description: "Max batch length exceeded" },
  });
});

test("M14: commands without names are answered as a list, as in PHP, and as an object when one is missing", async () => {
  const ok = ["crm.deal.get?id=123", "user.current"];
  expect(await portal.result("batch", { cmd: ok })).toMatchObject({ result: [{ ID: "123" }, { ID: "1" }] });
  const partly = await portal.result("batch", { cmd: ["crm.deal.get?id=9", ...ok] });
  expect(partly).toMatchObject({ result: { 1: { ID: "123" }, 2: { ID: "1" } }, result_error: [{ error: "" }] });
});

test("M14: a batch in a query is encoded twice", async () => {
  const inner = `crm.deal.list?filter[%TITLE]=${encodeURIComponent("кофейня & бар")}`;
  const query = `cmd[a]=${encodeURIComponent(inner.replace("%TITLE", encodeURIComponent("%TITLE")))}`;
  const { body } = await read(fetch(`${portal.webhookUrl}batch?${query}`));
  expect(body).toMatchObject({ result: { result: { a: [] }, result_total: { a: 0 } } });
});

test("M14: an empty batch has an empty result", async () => {
  const empty = { result: [], result_error: [], result_total: [], result_next: [], result_time: [] };
  expect(await portal.result("batch")).toEqual(empty);
});
