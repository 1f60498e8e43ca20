import { escapeHidden } from '../../text/escape-hidden.ts';

const longest = 300;

/** A text for one line of a terminal or a journal. File and host names are chosen by whoever attacks. */
export function printable(text: string): string {
  const safe = escapeHidden(text);
  return safe.length > longest ? `${safe.slice(0, longest)}…` : safe;
}
