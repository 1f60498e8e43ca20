import { randomBytes } from 'node:crypto';

/** Without letters that look like digits. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const timeLength = 10;
const randomLength = 10;

/** Names a call for ever: the later one sorts behind the earlier one, by the millisecond. */
export function newCallId(time: number): string {
  const random = [...randomBytes(randomLength)].map((byte) => digits[byte % digits.length]).join('');
  return timeText(time) + random;
}

/** Milliseconds since the epoch; undefined for what is no ID. */
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
