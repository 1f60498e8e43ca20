import { findingsOf } from '../credentials/read.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { parseDuration } from '../layers/quantities.ts';
import { patternRoots } from '../patterns/resolve-path.ts';
import type { approvalsEntry } from './schema.ts';
import { readWebhook } from './read-webhook.ts';

/** Milliseconds. Nobody reads a question faster. */
const shortest = 1000;
/** Milliseconds. A waiting question holds a process up. */
const longest = 86_400_000;

/** Returns the problems of one document's `[approvals]` table. */
export function approvalFindings({
  approvals = {},
}: PolicyPart<{ approvals: typeof approvalsEntry }>): readonly DocumentFinding[] {
  const { timeout, webhook } = approvals;
  const milliseconds = timeout === undefined ? shortest : (parseDuration(timeout) ?? 0);
  const isBounded = milliseconds >= shortest && milliseconds <= longest;
  return [
    ...(isBounded
      ? []
      : [
          {
            at: 'approvals.timeout',
            message: 'the time-out of questions is not between "1s" and "24h"',
            remedy: 'write timeout = "60s", or leave it out',
          },
        ]),
    ...(webhook === undefined ? [] : findingsOf(readWebhook(webhook, anywhere))),
  ];
}

/** Any paths work here: the validity of a table does not depend on the user's home and workspace. */
const anywhere = patternRoots({ home: '/home', workspace: '/workspace' });
