import { escapeHidden } from '../text/escape-hidden.ts';

/** A message for a terminal. It may quote names that a box chose; line breaks and tabs stay, because messages have lines of their own. */
export function safeText(text: string): string {
  return escapeHidden(text, 'lines');
}
