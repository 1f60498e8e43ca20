import { isUtf8 } from 'node:buffer';
import { escapePath } from '../../text/paths/escape-path.ts';
import { escapeRuns } from '../../text/filter/each-run.ts';

/**
 * Returns a box's bytes as text that cannot repaint a terminal, reorder words or hide any. Hidden characters become
 * `\u{…}`, and bytes that are not UTF-8 become `\xNN`. Tabs stay.
 */
export function visibleText(bytes: Buffer): string {
  return isUtf8(bytes) ? escapeRuns(bytes.toString('utf8')) : withEscapedBytes(bytes);
}

/** Returns a name or the target of a link in a form that no other name shares. */
export function visibleName(bytes: Buffer): string {
  return escapePath(bytes);
}

/** Decodes UTF-8, and escapes all other bytes. */
function withEscapedBytes(bytes: Buffer): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      parts.push(
        escapeRuns(bytes.toString('utf8', from, at)),
        String.raw`\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`,
      );
      from = at + 1;
    }
    at += Math.max(length, 1);
  }
  parts.push(escapeRuns(bytes.toString('utf8', from)));
  return parts.join('');
}

/** Returns the bytes of the character that starts here, or 0 if none does. */
function sequenceLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const length = lead < 0x80 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
