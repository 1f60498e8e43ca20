import * as v from 'valibot';
import { count, event, sha256Part, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Managed policies that an administrator signs. */
export const central = {
  name: 'central',
  events: [
    event('bundle.enforced', 'a signed bundle became the managed policy; journalled before it takes effect', {
      action: told(
        v.picklist(['fetch', 'restore', 'rollback']),
        '`restore`: the file of the bundle in force was changed or missing; `rollback`: by hand',
      ),
      name: textPart,
      serial: count,
      policy: told(sha256Part, 'SHA-256 of the policy file, as `managed` of `session.start`'),
      before: v.optional(told(sha256Part, 'SHA-256 of the managed policy file before; absent without one')),
      key: told(textPart, 'the first digits of the SHA-256 of the pinned key'),
      expires: textPart,
      source: told(textPart, 'URL without its query, or path'),
    }),
    event('bundle.refused', 'a bundle was refused, and the managed policy stayed', {
      source: told(textPart, 'URL without its query, or path'),
      reason: textPart,
    }),
  ],
} as const satisfies Feature;
