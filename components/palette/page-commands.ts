import type { Command } from "./command.ts";

/**
 * The actions of the page, as it shows them: its buttons and links that are marked `data-command`. Choosing one presses it, so
 * that what it asks first is asked.
 */
export function commandsOnPage(): Command[] {
  const marked = [...document.querySelectorAll<HTMLElement>("[data-command]")];
  return marked
    .filter((element) => element.checkVisibility() && !element.matches(":disabled"))
    .map((element, index) => ({
      id: `here-${index}`,
      group: "here",
      icon: "play",
      label: element.ariaLabel ?? element.textContent?.trim() ?? "",
      run: () => {
        element.focus();
        element.click();
      },
    }));
}
