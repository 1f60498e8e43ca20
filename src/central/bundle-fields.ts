import * as v from 'valibot';

/** Most bytes of a bundle. Its policy has at most 1 MiB, and JSON and base64 add to this. */
export const mostBundleBytes = 4 << 20;

export const bundleName = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/u));
export const bundleSerial = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
export const bundleTime = v.pipe(
  v.string(),
  v.check((text) => text === timeText(Date.parse(text))),
);

/** Formats a time as ISO 8601 in UTC, to the second. */
export function timeText(milliseconds: number): string {
  return Number.isFinite(milliseconds) ? `${new Date(milliseconds).toISOString().slice(0, 19)}Z` : '';
}
