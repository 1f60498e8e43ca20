/** Bytes, or a share of the machine's memory. */
export type Amount =
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'share'; readonly share: number };

const units: Readonly<Record<string, number>> = {
  B: 1,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};
const milliseconds: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `"4GiB"` or `"75%"`. Undefined for `"none"` and for invalid text. */
export function parseAmount(text: string): Amount | undefined {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text);
  if (share !== null) return { kind: 'share', share: Number(share[1]) / 100 };
  const bytes = parseBytes(text);
  return bytes === undefined ? undefined : { kind: 'bytes', bytes };
}

/** Reads `"512MiB"` as bytes. Undefined for `"none"`. */
export function parseBytes(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?i?B)$/.exec(text);
  const unit = units[match?.[2] ?? ''];
  return match === null || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}

/** Reads `"10m"` as milliseconds. Undefined for `"none"`. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text);
  const unit = milliseconds[match?.[2] ?? ''];
  return match === null || unit === undefined ? undefined : Math.round(Number(match[1]) * unit);
}
