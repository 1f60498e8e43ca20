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
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text);
  const unit = milliseconds[match?.[2] ?? ''];
  return match === null || unit === undefined ? undefined : Math.round(Number(match[1]) * unit);
}

/** Writes bytes as a policy file does: `"512MiB"`, `"2GB"`. Anything else has two decimals: `"17.66GiB"`. */
export function writtenBytes(bytes: number): string {
  const falling = Object.entries(units).toSorted(([, a], [, b]) => b - a);
  const fitting = falling.filter(([, unit]) => bytes >= unit);
  const exact = fitting.find(([, each]) => bytes / each < 10_000 && Number.isInteger((bytes / each) * 10));
  const [name, unit] = exact ?? fitting.find(([each]) => each.includes('i')) ?? ['B', 1];
  return `${Number((bytes / unit).toFixed(2))}${name}`;
}

/** Writes milliseconds as a policy file does: `"90s"`, `"30d"`. */
export function writtenDuration(duration: number): string {
  const [name, unit] = Object.entries(milliseconds).findLast(([, each]) => duration % each === 0) ?? ['ms', 1];
  return `${duration / unit}${name}`;
}
