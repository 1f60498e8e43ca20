import { HoldfastError } from '../../errors/index.ts';
import type { TrustLevel } from '../types.ts';

/** A directory that someone trusted as a whole, with any content. */
export interface TrustedDirectory {
  /** Absolute path, as written in the file. */
  readonly path: string;
  readonly level: TrustLevel;
  /** Milliseconds since the epoch. */
  readonly trustedAt: number;
}

/**
 * Parses the trust file of Consilium in both of its forms. The first is `{version: 1, entries: [{path, trustedAt,
 * level}]}` with milliseconds. The second is `{workspaces: [{path, level, trustedAt}]}` with ISO 8601. A path there
 * covers everything below it, with any content, so reading it approves nothing. Throws `HF_TRUST_INVALID` for every
 * other text: half a list would hide the other half.
 */
export function parseConsilium(text: string, file: string): readonly TrustedDirectory[] {
  const value = valueOf(text, file);
  if (!isObject(value)) throw invalid(file, 'it is not an object');
  if (value['version'] !== undefined && value['version'] !== 1)
    throw invalid(file, `its version is ${JSON.stringify(value['version'])}, and only 1 is known`);
  const [key, rows] = Array.isArray(value['entries'])
    ? ['entries', value['entries'] as readonly unknown[]]
    : ['workspaces', value['workspaces']];
  if (!Array.isArray(rows)) throw invalid(file, 'it has no list called entries or workspaces');
  return rows.map(
    (row: unknown, index) => directoryOf(row) ?? fail(file, `${key}[${index}] is not a path with a level and a time`),
  );
}

function valueOf(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(file, 'it is not JSON', cause);
  }
}

function directoryOf(row: unknown): TrustedDirectory | undefined {
  if (!isObject(row)) return undefined;
  const { path, level } = row;
  const trustedAt = timeOf(row['trustedAt']);
  if (
    typeof path !== 'string' ||
    !path.startsWith('/') ||
    path.includes('\0') ||
    (level !== 'session' && level !== 'always') ||
    trustedAt === undefined
  )
    return undefined;
  return { path, level, trustedAt };
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  return typeof time === 'number' && Number.isFinite(time) && Math.abs(time) <= latest ? time : undefined;
}

/** The last time that a `Date` can hold. ECMA-262, section 21.4.1.1. */
const latest = 8.64e15;

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(file: string, why: string): never {
  throw invalid(file, why);
}

function invalid(file: string, why: string, cause?: unknown): HoldfastError {
  return new HoldfastError('HF_TRUST_INVALID', `${file} cannot be imported: ${why}`, {
    remedy: 'name the trust file of Consilium; nothing was approved',
    ...(cause === undefined ? {} : { cause }),
  });
}
