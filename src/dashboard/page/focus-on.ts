/**
 * Sets the focus when its element has been removed, so that the next Tab continues from there and not from the top of
 * the page.
 */
export function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
