import { expect, test } from "vitest";
import type { ListedConfirmation, Page } from "@/lib/api/shapes.ts";
import { fromHead, itemsOf, newsPage, withKnown, withNews, without } from "./inbox-pages.ts";

const item = (id: string, more: Partial<ListedConfirmation> = {}): ListedConfirmation => ({
  id,
  key: id,
  conversation_id: `conversation-${id}`,
  run_id: null,
  call_id: null,
  iteration: null,
  instance: "",
  status: "requested",
  cause: "risk",
  description: null,
  action: { method: "deal.update", params: {} },
  before: null,
  requested_at: "2026-11-21T10:00:00.000Z",
  requested_seq: 1,
  overdue: false,
  unanswered: false,
  decided_at: null,
  decided_seq: null,
  decided_by: null,
  reason: null,
  own: true,
  agent_id: null,
  conversation: { title: null, subject: null, channel: null, user_id: null, agent_id: null },
  ...more,
});
const page = (ids: string[], next: string | null = null): Page<ListedConfirmation> => ({
  items: ids.map((id) => item(id)),
  next,
  prev: null,
});
const idsOf = (data: Parameters<typeof itemsOf>[0]) => itemsOf(data).map(({ id }) => id);

test("C7: an approval that is fetched by its id is listed once", () => {
  expect(idsOf(fromHead(page(["a", "b"]), item("z")))).toEqual(["a", "b", "z"]);
  expect(idsOf(fromHead(page(["a", "b"]), item("a")))).toEqual(["a", "b"]);
});

test("C7: a decision updates its row, and no other row moves or disappears", () => {
  const data = fromHead(page(["a", "b"]), null);
  const decided = withKnown(data, [item("b", { status: "denied", decided_by: "operator:anna" })]);
  expect(idsOf(decided)).toEqual(["a", "b"]);
  expect(itemsOf(decided)[1]).toMatchObject({ status: "denied", decided_by: "operator:anna" });
});

test("C7: a response from before a decision does not undo it; a new request makes it pending again", () => {
  const data = fromHead(page(["a"]), null);
  const decided = withKnown(data, [item("a", { status: "approved" })]);
  expect(itemsOf(withKnown(decided, [item("a")]))[0]?.status).toBe("approved");
  expect(itemsOf(withKnown(decided, [item("a", { requested_seq: 9 })]))[0]?.status).toBe("requested");
});

test("C7: a new request is added at the end", () => {
  const data = { pages: [page(["a", "b"], "1"), page(["c"])], pageParams: [null, "1"] };
  expect(newsPage(data, "requested")).toBe(1);
  expect(idsOf(withNews(data, "requested", 1, page(["c", "d"])))).toEqual(["a", "b", "c", "d"]);
});

test("C7: while the last page is not loaded, a new request is not added", () => {
  expect(newsPage(fromHead(page(["a"], "1"), null), "requested")).toBeNull();
});

test("C7: a new decision is first in the history", () => {
  const data = fromHead(page(["b", "a"], "1"), null);
  const next = withNews(data, "approved", newsPage(data, "approved") ?? -1, page(["c", "b"], "2"));
  expect(idsOf(next)).toEqual(["c", "b", "a"]);
  expect(next.pages[0]?.next).toBe("1");
});

test("C7: after more than a page of new decisions the history is reloaded, so that none is missing", () => {
  const data = fromHead(page(["b", "a"], "1"), null);
  const next = withNews(data, "denied", 0, page(["z", "y"], "2"));
  expect(idsOf(next)).toEqual(["z", "y"]);
  expect(next.pages[0]?.next).toBe("2");
});

test("C7: approvals that the server no longer has are removed", () => {
  expect(idsOf(without(fromHead(page(["a", "b"]), null), new Set(["a"])))).toEqual(["b"]);
});
