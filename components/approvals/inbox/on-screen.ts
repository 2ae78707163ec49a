/** Whether an element is there to be seen: on a phone the list and what is looked at take turns. */
export function isOnScreen(element: Element | null): boolean {
  return element?.checkVisibility({ visibilityProperty: true }) ?? false;
}
