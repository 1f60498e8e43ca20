/** For where what had the focus is gone: the next Tab goes on from there, and not from the top of the page. */
export function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}
