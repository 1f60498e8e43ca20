import * as v from 'valibot';

const size = v.pipe(
  v.string(),
  v.regex(/^(?:\d+(?:\.\d+)?\s*(?:[KMGT]i?B|B)|\d+(?:\.\d+)?%|none)$/, 'a size is written "512MiB", "4GB" or "none"'),
  v.description('A size such as "4GiB", or "none"'),
);
const share = v.pipe(size, v.description('A size such as "4GiB", a share of the machine such as "75%", or "none"'));
const duration = v.pipe(
  v.string(),
  v.regex(/^(?:\d+(?:\.\d+)?\s*(?:ms|s|m|h|d)|none)$/, 'a duration is written "90s", "10m", "1h" or "none"'),
  v.description('A duration such as "90s", "10m" or "1h", or "none"'),
);
const count = v.pipe(
  v.union([v.pipe(v.number(), v.integer(), v.minValue(1)), v.literal('none')]),
  v.description('A number, or "none"'),
);
const cores = v.pipe(
  v.union([v.pipe(v.number(), v.minValue(0.01), v.maxValue(4096)), v.literal('none')]),
  v.description('Processor cores such as 1.5, or "none"'),
);

/** Schemas of limits. */
export const quantities = { size, share, duration, count, cores } as const;
