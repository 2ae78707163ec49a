import { expect, test } from "vitest";
import { recorded, said } from "../testing/recorded.ts";
import { conversationName, runName } from "./run-name.ts";

test("C2: a conversation without a title is named by the first tools of its plan, without repetition", () => {
  const calls = ["get", "get", "a", "b", "c"].map((tool, i) => ({ _tool: tool, _id: `${i}` }));
  expect(runName(recorded(["run.started", {}]))).toBeNull();
  expect(runName(recorded(["run.started", {}], ["plan.proposed", { iteration: 1, calls }]))).toBe("get, a, b +1");
});

test("C2: a conversation that is opened empty is named by its user's first words later", () => {
  const plan = { iteration: 1, calls: [{ _tool: "get", _id: "a" }] };
  const spoken = recorded(said("1", "user", "Raise the amount"), ["plan.proposed", plan]);
  expect(conversationName(spoken, null)).toBe("Raise the amount");
  expect(conversationName(spoken, "Deal 1842")).toBe("Deal 1842");
  const titled = recorded(said("1", "user", "Hi"), ["conversation.titled", { title: "Atlas" }]);
  expect(conversationName(titled, "Deal 1842")).toBe("Atlas");
  expect(conversationName(recorded(["plan.proposed", plan]), null)).toBe("get");
  expect(conversationName(recorded(), null)).toBeNull();
});
