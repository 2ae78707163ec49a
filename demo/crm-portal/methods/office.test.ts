import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openPortal, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

describe("M14: pipelines, stages, directories", () => {
  test("the pipelines other than the default one", async () => {
    expect(await portal.call("crm.dealcategory.list", { select: ["ID", "NAME"] })).toMatchObject({
      body: {
        result: [
          { ID: "1", NAME: "Обслуживание" },
          { ID: "2", NAME: "Партнёрские проекты" },
        ],
        total: 2,
      },
    });
  });

  test("the stages of a pipeline in order, of the default one without an id, none of an unknown one", async () => {
    expect(await portal.result("crm.dealcategory.stage.list", { id: 1 })).toMatchObject([
      { STATUS_ID: "C1:NEW", NAME: "Заявка", SORT: 10 },
      { STATUS_ID: "C1:VISIT" },
      { STATUS_ID: "C1:EXECUTING" },
      { STATUS_ID: "C1:WON" },
      { STATUS_ID: "C1:LOSE" },
    ]);
    const general = await portal.result("crm.dealcategory.stage.list");
    expect(general).toHaveLength(8);
    expect(await portal.result("crm.dealcategory.stage.list", { id: "0" })).toEqual(general);
    expect(await portal.result("crm.dealcategory.stage.list", { id: 9 })).toEqual([]);
  });

  test("a directory", async () => {
    const filter = { ENTITY_ID: "DEAL_STAGE", STATUS_ID: ["WON", "APOLOGY"] };
    expect(await portal.call("crm.status.list", { filter, order: { SORT: "ASC" } })).toMatchObject({
      body: {
        result: [
          { STATUS_ID: "WON", SEMANTICS: "S", SYSTEM: "Y", EXTRA: { SEMANTICS: "success" } },
          { STATUS_ID: "APOLOGY", SEMANTICS: "F", EXTRA: { SEMANTICS: "apology" } },
        ],
        total: 2,
      },
    });
  });
});

describe("M14: users", () => {
  test("the current one is the webhook's owner", async () => {
    expect(await portal.result("user.current")).toMatchObject({ ID: "1", NAME: "Анна", ACTIVE: true });
  });

  test.each([
    [{ ID: 3 }, ["3"]],
    [{ filter: { ID: [3, 7] } }, ["3", "7"]],
    [{ FILTER: { ACTIVE: true, UF_DEPARTMENT: 2 }, SORT: "LAST_NAME", ORDER: "desc" }, ["2", "3", "4", "7"]],
    [{ filter: { NAME: "Ма%" } }, ["3"]],
    [{ filter: { "!%LAST_NAME": "ов", UF_DEPARTMENT: [1, 3] } }, ["8"]],
    [{ ACTIVE: "N" }, ["9"]],
    [{ FILTER: { NAME_SEARCH: "ким мария" } }, ["3"]],
    [{ filter: { EMAIL: "CLARKE@svetlab.example" } }, ["7"]],
    [{ ID: 77 }, []],
  ])("%j finds %j", async (params, ids) => {
    const { body } = await portal.call("user.get", params);
    expect(Object(body.result).map(({ ID }: { ID: string }) => ID)).toEqual(ids);
    expect(body.total).toBe(ids.length);
    expect(JSON.stringify(body)).not.toContain("NAME_SEARCH");
  });
});

describe("M14: workgroups", () => {
  test("newest first, by name or by id", async () => {
    const { body } = await portal.call("sonet_group.get");
    expect(body).toMatchObject({ result: [{ ID: "11" }, { ID: "8" }, { ID: "7" }, { ID: "5" }], total: 4 });
    expect(body).not.toHaveProperty("result.0.MEMBERS");
    const params = { FILTER: { "%NAME": "отел" }, ORDER: { NAME: "ASC" } };
    expect(await portal.result("sonet_group.get", params)).toMatchObject([
      { NAME: "Отель «Речной»: номерной фонд", NUMBER_OF_MEMBERS: "4", PROJECT: "Y" },
    ]);
    expect(await portal.result("sonet_group.get", { GROUP_ID: 8 })).toMatchObject([{ ID: "8" }]);
  });

  test("their members", async () => {
    expect(await portal.result("sonet_group.user.get", { ID: 11 })).toEqual([
      { USER_ID: "7", ROLE: "A" },
      { USER_ID: "1", ROLE: "E" },
      { USER_ID: "6", ROLE: "K" },
    ]);
    expect(await portal.refusal("sonet_group.user.get", { ID: 99 })).toBe("400 : Socialnetwork group not found");
    expect(await portal.refusal("sonet_group.user.get")).toBe("400 : Wrong socialnetwork group ID");
  });
});

describe("M14: subscriptions to events", () => {
  const hook = { event: "OnCrmDealUpdate", handler: "https://agent.example/hook" };
  const told = { event: "ONCRMDEALUPDATE", handler: hook.handler, auth_type: "0", offline: 0 };

  test("are created, listed and deleted", async () => {
    expect(await portal.result("event.bind", hook)).toBe(true);
    expect(await portal.result("event.get")).toEqual([
      { event: "ONCRMDEALADD", handler: "https://example.test/hook", auth_type: "0", offline: 0 },
      { event: "ONTASKUPDATE", handler: "https://example.test/tasks", auth_type: "0", offline: 0 },
      told,
    ]);
    expect(await portal.result("event.unbind", hook)).toEqual({ count: 1 });
    expect(await portal.result("event.unbind", hook)).toEqual({ count: 0 });
    expect(await portal.result("event.get")).toHaveLength(2);
  });

  test("are distinguished by user", async () => {
    await portal.result("event.bind", hook);
    await portal.result("event.bind", { ...hook, auth_type: 3 });
    expect(await portal.result("event.unbind", { ...hook, auth_type: 0 })).toEqual({ count: 1 });
    expect(await portal.result("event.get")).toContainEqual({ ...told, auth_type: "3" });
  });

  test.each([
    [{ ...hook, event: "OnCrmDealExplode" }, "400 ERROR_EVENT_NOT_FOUND: Event not found"],
    [{ event: hook.event }, "400 ERROR_ARGUMENT: Argument 'HANDLER' is null or empty"],
    [{ handler: hook.handler }, "400 ERROR_ARGUMENT: Argument 'EVENT' is null or empty"],
    [{ ...hook, handler: "agent.example" }, "400 ERROR_WRONG_HANDLER_URL: Wrong handler URL"],
    [
      { event: "ONCRMDEALADD", handler: "https://example.test/hook" },
      "400 ERROR_CORE: Unable to set event handler: Handler already binded",
    ],
  ])("%j is refused", async (params, refusal) => {
    expect(await portal.refusal("event.bind", params)).toBe(refusal);
  });
});
