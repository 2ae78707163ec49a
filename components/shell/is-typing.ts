/** Whether a key belongs to something other than the page: a text field, an open dialog or menu, a browser's shortcut. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const { target } = event;
  return (
    target instanceof Element &&
    target.closest("input, textarea, select, [contenteditable], dialog, [role=menu]") !== null
  );
}
