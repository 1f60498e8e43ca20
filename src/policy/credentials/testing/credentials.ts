import { policyFrom, problemsIn } from '../../testing/policies.ts';
import type { LayerKind } from '../../verdict.ts';
import { credentialsOf } from '../credentials-of.ts';
import type { Credential } from '../types.ts';

/** Lines of a complete table. Those in `lines` are added, and replace lines of the same keys. */
export function tableText(lines = '', leftOut: readonly string[] = []): string {
  const given = new Set(lines.split('\n').map((line) => line.split(' =')[0] ?? ''));
  const usual = Object.entries(complete).filter(([key]) => !given.has(key) && !leftOut.includes(key));
  return [
    '[[credentials]]',
    ...usual.map(([key, value]) => `${key} = ${value}`),
    ...(lines === '' ? [] : [lines]),
    '',
  ].join('\n');
}

const complete: Readonly<Record<string, string>> = {
  name: '"example"',
  source: '{ env = "EXAMPLE_TOKEN" }',
  hosts: '["api.example.com"]',
  inject: '{ kind = "bearer" }',
  environment: '["EXAMPLE_TOKEN"]',
};

export const openNetwork = '[network]\nhosts = ["any"]\n';

/** The credentials in the tables of a user's policy. */
export function credentialsIn(tables: string): readonly Credential[] {
  return credentialsOf(policyFrom({ user: openNetwork + tables }));
}

/** The credential with the name of its table. */
export function credentialIn(tables: string): Credential {
  const own = credentialsIn(tables).at(-1);
  if (own === undefined) throw new Error(`no credential in:\n${tables}`);
  return own;
}

export interface Told {
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/** The errors in the text of a policy, whose first line is its version. */
export function told(text: string, kind?: LayerKind): readonly Told[] {
  return problemsIn(`version = 1\n${text}`, kind).map(({ line, message, remedy }) => ({ line, message, remedy }));
}
