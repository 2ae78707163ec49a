import { isTyping } from "@/components/shell/is-typing.ts";

/** Whether a key of the list belongs to something else. A row's box takes no letters, so that the keys go on working from it. */
export function isTaken(event: KeyboardEvent): boolean {
  const { target, ctrlKey, metaKey, altKey, defaultPrevented } = event;
  const isBox = target instanceof HTMLInputElement && target.type === "checkbox" && !target.closest("dialog");
  return isBox ? ctrlKey || metaKey || altKey || defaultPrevented : isTyping(event);
}
