import * as v from 'valibot';
import { bundleName, bundleSerial, bundleTime } from './bundle-fields.ts';
import type { CentralRecord, KnownBundle } from './types.ts';

const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));

const schema = v.strictObject({
  version: v.literal(1),
  pin: v.strictObject({
    name: bundleName,
    key: v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{43}=$/u)),
    policy: v.optional(sha256),
  }),
  current: bundleSerial,
  bundles: v.array(
    v.strictObject({
      serial: bundleSerial,
      issued: bundleTime,
      expires: bundleTime,
      policy: sha256,
      source: v.string(),
      taken: bundleTime,
    }),
  ),
});

/** Undefined for bytes that `centralText` would never write. */
export function parseCentral(bytes: Uint8Array): CentralRecord | undefined {
  const result = v.safeParse(schema, jsonOf(bytes));
  if (!result.success) return undefined;
  const { version: _, ...record } = result.output;
  return record.bundles.some(({ serial }) => serial === record.current) &&
    centralText(record) === Buffer.from(bytes).toString()
    ? record
    : undefined;
}

/** Returns the only valid form of the file. */
export function centralText({ pin: { name, key, policy }, current, bundles }: CentralRecord): string {
  const pin = { name, key, policy };
  return `${JSON.stringify({ version: 1, pin, current, bundles: bundles.map(ordered) }, undefined, 1)}\n`;
}

function ordered({ serial, issued, expires, policy, source, taken }: KnownBundle): KnownBundle {
  return { serial, issued, expires, policy, source, taken };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

const mostBundles = 20;

/**
 * Returns the record with another bundle in force. Beyond 20 bundles it forgets the oldest, but never the newest serial
 * or the bundle in force.
 */
export function withCurrent(record: Omit<CentralRecord, 'current'>, bundle: KnownBundle): CentralRecord {
  const others = record.bundles.filter(({ serial }) => serial !== bundle.serial);
  const rising = [...others, bundle].toSorted((a, b) => a.serial - b.serial);
  const kept = rising.filter(({ serial }, index) => serial === bundle.serial || rising.length - index <= mostBundles);
  return { pin: record.pin, current: bundle.serial, bundles: kept };
}

/** Throws for a record that lacks its bundle in force. `parseCentral` refuses such a record. */
export function currentOf({ bundles, current }: CentralRecord): KnownBundle {
  const found = bundles.find(({ serial }) => serial === current);
  if (found === undefined) throw new Error(`the record has no bundle ${current}`);
  return found;
}

/** Milliseconds by which a clock may be wrong. */
export const clockSkew = 300_000;

/** Attack: if the clock is set back, no bundle ever expires. */
export function isClockBehind({ bundles }: CentralRecord, now: number): boolean {
  return bundles.some(({ taken }) => Date.parse(taken) > now + clockSkew);
}
