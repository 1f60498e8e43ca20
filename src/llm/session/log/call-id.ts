import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

/** Digits and letters, without the letters that look like digits. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 10;
const randomLength = 10;

/** Returns a permanent ID for a call. A later ID sorts after an earlier one, by the millisecond. */
export function newCallId(time: number): string {
  const random = [...randomBytes(randomLength)].map((byte) => digits[byte % digits.length]).join('');
  return timeText(time) + random;
}

/** Returns the milliseconds since the epoch of an ID. Undefined for other texts. */
export function timeOfCallId(id: string): number | undefined {
  if (!isCallId(id)) return undefined;
  let time = 0;
  for (const digit of id.slice(0, timeLength)) time = time * digits.length + digits.indexOf(digit);
  return time;
}

export function isCallId(text: string): boolean {
  return /^[0-9a-hjkmnp-tv-z]{20}$/u.test(text);
}

function timeText(time: number): string {
  let text = '';
  for (let rest = Math.max(0, Math.floor(time)); text.length < timeLength; rest = Math.floor(rest / digits.length))
    text = `${digits[rest % digits.length]}${text}`;
  return text;
}

const suffix = '.jsonl.gz';
const partSuffix = '.part';

export function callFile(directory: string, id: string): string {
  return join(directory, `${id}${suffix}`);
}

/** Name of a file that is still being written. No reader opens it. */
export function partFile(directory: string, id: string): string {
  return join(directory, `${id}${partSuffix}`);
}

type NamedFile = { readonly kind: 'call' | 'part'; readonly id: string };

/** Undefined for a name that this log did not create. */
export function fileNamed(name: string): NamedFile | undefined {
  for (const [kind, end] of [
    ['call', suffix],
    ['part', partSuffix],
  ] as const) {
    const id = name.slice(0, -end.length);
    if (name.endsWith(end) && isCallId(id)) return { kind, id };
  }
  return undefined;
}
