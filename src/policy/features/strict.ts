import * as v from 'valibot';
import type { Feature } from './feature.ts';

/** One word for the choices of a security engineer. */
export const strict = {
  name: 'strict',
  policy: {
    strict: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'Adds the strict policy: staged writes, filtered output, no terminal, tight limits, no secrets in variables, TLS ended for every host, and no box with gaps',
        ),
      ),
    ),
  },
  settings: { strict: 'strict' },
} as const satisfies Feature;
