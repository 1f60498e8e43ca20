import * as v from 'valibot';
import { sourceEntry } from '../credentials/schema.ts';
import { texts } from '../document/rule-schema.ts';

const timeout = v.pipe(
  v.string(),
  v.regex(/^\d+(?:\.\d+)?(?:ms|s|m|h)$/, 'a time-out is written "90s", "10m" or "1h"'),
  v.description(
    'How long a question waits for an answer before it is denied, such as "60s" (default); the shortest of all policies counts',
  ),
);

export const webhook = v.strictObject({
  url: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(2048),
    v.description('The URL for questions: an https URL, or an http URL of this machine'),
  ),
  secret: v.pipe(sourceEntry, v.description('The source of the secret that signs questions and answers')),
});

/** Settings for approvals. They decide who may answer, so a project's policy may not set them. */
export const approvalsEntry = v.optional(
  v.pipe(
    v.strictObject({
      timeout: v.optional(timeout),
      desktop: v.optional(
        v.pipe(
          v.picklist(['on', 'off']),
          v.description(
            'Whether the desktop shows notifications of questions, which take no answer; default "off", and "off" of any policy counts',
          ),
        ),
      ),
      totp: v.optional(
        texts(
          'Names of rules whose questions need a code of `holdfast approvals totp enrol` for every answer except a denial',
        ),
      ),
      webhook: v.optional(v.pipe(webhook, v.description('A service that gets questions and may answer them'))),
    }),
    v.description('Settings of questions; only in user and managed policies'),
  ),
);
