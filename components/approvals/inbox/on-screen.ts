/** Whether an element is visible: on a phone the list and the details replace each other. */
export function isOnScreen(element: Element | null): boolean {
  return element?.checkVisibility({ visibilityProperty: true }) ?? false;
}
