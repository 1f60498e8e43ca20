import * as v from 'valibot';
import { credentialFindings } from '../credentials/credential-findings.ts';
import { credentialsEntry } from '../credentials/schema.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import type { LayerKind } from '../verdict.ts';
import { count, event, host, inSession, port, textPart, told } from './event-parts.ts';
import type { Feature } from './feature.ts';
import { notOfProjects } from './said-by.ts';

const policy = { credentials: credentialsEntry } as const;

export const credentials = {
  name: 'credentials',
  policy,
  placed,
  findings: credentialFindings,
  events: [
    event('statement', 'a statement or command that went through a broker of a database', {
      ...inSession,
      protocol: v.picklist(['postgres', 'redis']),
      ...host,
      user: textPart,
      database: v.optional(textPart),
      text: told(textPart, 'at most 2,000 characters'),
      decision: v.picklist(['allow', 'deny']),
      outcome: told(textPart, "the protocol's own word: `SELECT 3`, `ERROR 25006`"),
      count: v.optional(told(count, 'number of statements that it covers; absent for one')),
    }),
    event(
      'credential',
      'a change or use of a credential, at its first time in a session; never a value, a hash or a length',
      {
        ...inSession,
        credential: textPart,
        action: v.picklist([
          'delivered',
          'used',
          'missing',
          'unavailable',
          'refreshed',
          'exposed',
          'captured',
          'revoked',
        ]),
        host: v.optional(told(textPart, 'where it was used')),
        port: v.optional(port),
        message: v.optional(told(textPart, 'why it is missing')),
      },
    ),
    event('alarm', 'a phantom, a secret or an unknown key in the wrong place, which is a sign of exfiltration', {
      ...inSession,
      alarm: v.picklist([
        'phantom-unbound',
        'phantom-misplaced',
        'phantom-revoked',
        'secret-outbound',
        'secret-reflected',
        'foreign-credential',
      ]),
      credential: told(textPart, 'empty for an unknown key'),
      ...host,
      place: told(textPart, 'its position in the traffic, in words; never the value'),
    }),
  ],
  commands: [
    {
      name: 'secrets',
      module: 'secrets/index.ts',
      export: 'secretsCommand',
      summary: 'Register keys that stay outside the sandbox',
      section: 'keys',
    },
    {
      name: 'credentials',
      module: 'credentials/index.ts',
      export: 'credentialsCommand',
      summary: 'List the phantom keys of running sandboxes and revoke them',
      section: 'keys',
    },
  ],
} as const satisfies Feature;

function placed({ credentials }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] {
  return notOfProjects(credentials, layer, {
    at: 'credentials',
    cannot: 'hold credentials: it would choose which secrets are read, by which commands, and who gets them',
    remedy: 'move [[credentials]] to the user policy',
  });
}
