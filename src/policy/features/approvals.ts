import * as v from 'valibot';
import { readWebhook } from '../approvals/read-webhook.ts';
import { approvalsEntry } from '../approvals/schema.ts';
import { findingsOf } from '../credentials/read.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { parseDuration } from '../layers/quantities.ts';
import { patternRoots } from '../patterns/resolve-path.ts';
import type { LayerKind } from '../verdict.ts';
import { event, inSession, judged, millisecondsPart, sha256Part, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

/** Milliseconds. Nobody reads a question faster. */
const shortest = 1000;
/** Milliseconds. A waiting question holds a process up. */
const longest = 86_400_000;

/** Any paths work here: the validity of a table does not depend on the user's home and workspace. */
const anywhere = patternRoots({ home: '/home', workspace: '/workspace' });

const policy = { approvals: approvalsEntry } as const;

export const approvals = {
  name: 'approvals',
  policy,
  placed,
  findings: approvalFindings,
  events: [
    event('approval.requested', 'someone is asked; journalled before anyone sees the question', {
      ...judged,
      hash: told(sha256Part, 'SHA-256 of the question'),
      title: told(textPart, 'the line that was shown, filtered'),
    }),
    event('approval.resolved', 'it was answered, or nobody answered; journalled before the caller continues', {
      ...inSession,
      hash: told(sha256Part, 'SHA-256 of the question'),
      decision: v.picklist(['once', 'session', 'always', 'deny']),
      because: v.optional(
        told(
          v.picklist(['answer', 'time-out', 'nobody', 'repeated', 'full', 'hidden', 'closed', 'withdrawn', 'failure']),
          'why it was denied, if no person denied it',
        ),
      ),
      channel: v.optional(v.picklist(['terminal', 'prompt', 'dashboard', 'webhook', 'editor', 'library'])),
      waited: told(millisecondsPart, 'milliseconds that the caller waited'),
    }),
  ],
  commands: [
    {
      name: 'approvals',
      module: 'approvals/index.ts',
      export: 'approvalsCommand',
      summary: 'List waiting approvals and answer them',
      section: 'policy',
    },
  ],
} as const satisfies Feature;

function placed({ approvals }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] {
  return usersOnly(approvals, layer, {
    at: 'approvals',
    cannot: 'configure approvals: it would choose who may answer',
    remedy: 'move [approvals] to the user policy',
  });
}

/** Returns the problems of one document's `[approvals]` table. */
function approvalFindings({
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
