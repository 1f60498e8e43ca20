import { randomBytes } from 'node:crypto';

/** What the name of an entry says by itself, so that a quota needs one directory listing and no file. */
export interface Identified {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Bytes. */
  readonly size: number;
}

/** `20261103-101112-345678-k3f9xq-2s`: UTC to the microsecond, chance, and the size in base 36. Sorts by time. */
export function makeIdentifier(microseconds: number, size: number): string {
  const whole = new Date(Math.floor(microseconds / 1000)).toISOString();
  const time = whole.slice(0, 19).replaceAll(/[-:]/gu, '').replace('T', '-');
  const fraction = String(Math.floor(microseconds % 1e6)).padStart(6, '0');
  return `${time}-${fraction}-${randomBytes(3).toString('hex')}-${Math.ceil(size).toString(36)}`;
}

/** Undefined when the name is none of an entry. */
export function readIdentifier(name: string): Identified | undefined {
  const groups = pattern.exec(name)?.groups;
  if (groups === undefined) return undefined;
  const { year, month, day, hour, minute, second, millisecond, size = '' } = groups;
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millisecond}Z`);
  return Number.isNaN(at) ? undefined : { id: name, at, size: Number.parseInt(size, 36) };
}

const pattern = /^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)-(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)-(?<millisecond>\d{3})\d{3}-[\da-f]{6}-(?<size>[\da-z]{1,11})$/u;
