import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import { openPortal, type TestPortal } from "../testing/open-portal.ts";

let portal: TestPortal;
beforeAll(async () => {
  portal = await openPortal();
});
afterAll(() => portal.dispose());

async function ids(filter: JsonObject, order: JsonObject = {}): Promise<number[]> {
  const deals = Object(await portal.result("crm.deal.list", { filter, order, select: ["ID"] }));
  return deals.map(({ ID }: JsonObject) => Number(ID));
}

describe("M14: filters", () => {
  test.each<[JsonObject, number[]]>([
    [{ ID: 123 }, [123]],
    [{ "=ID": "123" }, [123]],
    [{ ID: [101, "123", 5] }, [101, 123]],
    [{ "@ID": [101, 123] }, [101, 123]],
    [{ "!ID": 123, "<=ID": 123, ">ID": 121 }, [122]],
    [{ "!@ID": [101, 102], "<ID": 104 }, [103]],
    [{ ">=OPPORTUNITY": 3_900_000 }, [111, 113, 114]],
    [{ ">OPPORTUNITY": "3900000" }, [111, 113]],
    [{ STAGE_ID: "WON" }, [102, 105, 122, 124]],
    [{ STAGE_ID: ["LOSE", "APOLOGY"] }, [114, 120, 131]],
    [{ CATEGORY_ID: 2, "!STAGE_ID": "C2:WON" }, [137, 139, 140]],
    [{ COMPANY_ID: "", CLOSED: "N" }, [123, 128, 129, 130]],
    [{ "!COMPANY_ID": null, "<ID": 103 }, [101, 102]],
    [{ "%TITLE": "ВЛАСОВ" }, [123]],
    [{ "=%TITLE": "Nordlicht:%" }, [137, 138]],
    [{ "%=TITLE": "%год" }, [133]],
    [{ "=%TITLE": "%номер%" }, [111]],
    [{ "=%TITLE": "Дача, Н. Егоров%Егоров" }, []],
    [{ "!%TITLE": "ЛЮСТР", ">=ID": 136 }, [137, 138, 139, 140]],
    [{ CLOSED: "N", ASSIGNED_BY_ID: 7 }, [137, 139, 140]],
    [{ NO_SUCH_FIELD: 1, ID: 123 }, [123]],
    [{ constructor: 1, ID: 123 }, [123]],
    [{ ">OPPORTUNITY": "дорого" }, []],
  ])("%j", async (filter, found) => {
    expect(await ids(filter)).toEqual(found);
  });

  test("times are compared as instants, whatever their format", async () => {
    const { DATE_CREATE } = Object(await portal.result("crm.deal.get", { id: 123 }));
    const moment = new Date(DATE_CREATE);
    expect(await ids({ DATE_CREATE: moment.toISOString() })).toEqual([123]);
    expect(await ids({ ">DATE_CREATE": moment.toISOString(), "<=ID": 123, ">=ID": 122 })).toEqual([]);
    expect(await ids({ ">=DATE_CREATE": DATE_CREATE.slice(0, 19), ID: 123 })).toEqual([123]);
  });
});

test("M14: sorts by several fields, numbers as numbers", async () => {
  expect(await ids({ "<=ID": 103 }, { OPPORTUNITY: "DESC" })).toEqual([103, 101, 102]);
  expect(await ids({ ID: [101, 102, 105] }, { STAGE_ID: "asc", OPPORTUNITY: "desc" })).toEqual([101, 105, 102]);
  expect(await ids({ "<=ID": 103 }, { ID: "DESC" })).toEqual([103, 102, 101]);
});

test("M14: returns selected fields and the id", async () => {
  const [deal] = Object(await portal.result("crm.deal.list", { filter: { ID: 123 }, select: ["TITLE", "NONE"] }));
  expect(deal).toEqual({ ID: "123", TITLE: "Загородный дом, С. Власов" });
  const all = await portal.result("crm.deal.list", { filter: { ID: 123 }, select: ["*", "UF_*"] });
  expect(all).toEqual(await portal.result("crm.deal.list", { filter: { ID: 123 } }));
});

test.each(["filter", "order"])("M14: a %s that is not an object is refused", async (name) => {
  const refusal = `400 : Parameter '${name}' must be array.`;
  expect(await portal.refusal("crm.deal.list", { [name]: "ID" })).toBe(refusal);
});

describe("M14: pages of 50", () => {
  let full: TestPortal;
  beforeAll(async () => {
    full = await openPortal();
    const added = Array.from({ length: 50 }, (_, index) => [`a${index}`, `crm.deal.add?fields[TITLE]=Д-${index}`]);
    await full.result("batch", { cmd: Object.fromEntries(added) });
    await full.result("batch", { cmd: Object.fromEntries(added) });
  });
  afterAll(() => full.dispose());

  test("each has the total and the start of the next one, except the last", async () => {
    const seen: string[] = [];
    let start: unknown = 0;
    for (let pages = 0; pages < 9 && start !== undefined; pages++) {
      const { body } = await full.call("crm.deal.list", { start: Number(start), select: ["ID"] });
      expect(body.total).toBe(140);
      seen.push(...Object(body.result).map(({ ID }: JsonObject) => String(ID)));
      start = body.next;
    }
    expect(seen).toEqual(Array.from({ length: 140 }, (_, index) => String(101 + index)));
  });

  test.each([
    [50, 50, 100],
    ["50", 50, 100],
    [60, 50, 100],
    [100, 40, undefined],
    [200, 0, undefined],
    [-7, 50, 50],
    ["x", 50, 50],
  ])("start %j gives %i and next %j", async (start, length, next) => {
    const { body } = await full.call("crm.deal.list", { start });
    expect(body.result).toHaveLength(length);
    expect(body.next).toBe(next);
  });

  test("start -1 skips counting", async () => {
    const { body } = await full.call("crm.deal.list", { start: -1, filter: { ">ID": 200 } });
    expect(body.result).toHaveLength(40);
    expect(body).not.toHaveProperty("total");
    expect(body).not.toHaveProperty("next");
  });
});
