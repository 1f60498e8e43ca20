import * as v from 'valibot';
import type { Feature } from './feature.ts';

/** A single setting for the strictest choices. */
export const strict = {
  name: 'strict',
  policy: {
    strict: v.optional(
      v.pipe(
        v.boolean(),
        v.description(
          'Adds the strict policy. Writes are staged, output is filtered, and there is no terminal. Limits are tight, variables hold no secrets, TLS ends for every host, and no box has gaps',
        ),
      ),
    ),
  },
  settings: { strict: 'strict' },
} as const satisfies Feature;
