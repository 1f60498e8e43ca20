import * as v from 'valibot';
import { event, inSession, sha256Part, textPart, told, workspace } from './event-parts.ts';
import type { Feature } from './feature.ts';

/** Files of a repository that something could execute. */
export const trust = {
  name: 'trust',
  events: [
    event('trust.decided', 'files of a repository were approved, or an approval was revoked', {
      workspace,
      action: v.picklist(['approve', 'revoke', 'import']),
      level: v.optional(v.picklist(['session', 'always'])),
      signer: v.optional(
        told(
          textPart,
          'the signer of an approval; without files: the signer that is trusted from now on, or no longer',
        ),
      ),
      files: v.array(v.object({ path: textPart, sha256: sha256Part, surface: textPart })),
    }),
    event('trust.withheld', 'a box began without files that nobody has approved', {
      ...inSession,
      files: v.array(v.object({ path: textPart, state: v.picklist(['new', 'changed', 'prose']) })),
    }),
  ],
  commands: [
    {
      name: 'trust',
      module: 'trust/index.ts',
      export: 'trustCommand',
      summary: 'Review and approve repository files that can run code',
      section: 'policy',
    },
  ],
} as const satisfies Feature;
