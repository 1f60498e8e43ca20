import { HeldContents } from '../../../egress/http/held-content.ts';
import type { InterceptedConnection } from '../../../egress/http/interceptor.ts';
import type { OutgoingRequest } from '../../../egress/http/message.ts';
import type { Refused } from '../../../egress/types.ts';
import type { Credential } from '../../../policy/credentials/types.ts';
import { credentialOf, testContext } from '../../inject/testing/context.ts';
import { connection as secure } from '../../inject/testing/requests.ts';
import type { InjectionOf, InjectionParts } from '../../inject/types.ts';
import type { Secret } from '../../types.ts';
import { sigv4 } from '../sigv4.ts';

/** The keys of AWS's published examples. */
export const suiteKeys = {
  accessKeyId: 'AKIDEXAMPLEEXAMPLE12',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
} as const;
export const suiteTime = Date.parse('2015-08-30T12:36:00Z');

export interface Signer {
  /** Phantoms of the access key ID and of the session token. */
  readonly accessKeyId: string;
  readonly sessionToken: string;
  /** The remembered secrets. */
  known(): readonly string[];
  /** The injector's result for a request, after the removal of the fields that it names. */
  resign(asked: OutgoingRequest): Promise<OutgoingRequest | Refused>;
}

export interface SignerOptions {
  readonly injection?: Omit<InjectionOf<'sigv4'>, 'kind'>;
  readonly secret?: Secret;
  readonly now?: number;
  readonly connection?: InterceptedConnection;
}

export function signer({
  injection = {},
  secret = defaultSecret,
  now = suiteTime,
  connection = secure,
}: SignerOptions = {}): Signer {
  const credential: Credential & { readonly injection: InjectionOf<'sigv4'> } = {
    ...credentialOf({ injection: { kind: 'sigv4' } }),
    injection: { kind: 'sigv4', ...injection },
  };
  const { registry, secrets, alarm, used, credentials } = testContext({ credentials: [credential] });
  const tokens = { access: unused, forget: unused, capture: unused, captured: unused, close: unused };
  const parts: Omit<InjectionParts<'sigv4'>, 'asked' | 'held'> = {
    credential,
    connection,
    context: { registry, secrets, alarm, used, credentials, tokens, now: () => now, isModelServer: () => false },
    found: [],
  };
  const strips = new Set(sigv4.strips(parts));
  return {
    accessKeyId: registry.mintFor(credential, 'accessKeyId', 'AKIAIOSFODNN7EXAMPLE'),
    sessionToken: registry.mintFor(credential, 'sessionToken', 'EXAMPLE-session-token'),
    known: () => secrets.known().map(({ text }) => text),
    async resign(asked) {
      const held = new HeldContents().open();
      const request = { ...asked, fields: asked.fields.filter(({ key }) => !strips.has(key)) };
      try {
        return await sigv4.inject(request, secret, { ...parts, asked, held });
      } finally {
        held.release();
      }
    },
  };
}

const defaultSecret: Secret = { value: suiteKeys.secretAccessKey, fields: { accessKeyId: suiteKeys.accessKeyId } };

function unused(): never {
  throw new Error('Signatures need no tokens.');
}

export function textOf(outcome: OutgoingRequest | Refused): string {
  return 'kind' in outcome ? outcome.refusal.message : 'signed';
}
