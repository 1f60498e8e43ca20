import { policyFrom, problemsIn } from '../../testing/policies.ts';
import type { LayerKind } from '../../verdict.ts';
import { credentialsOf } from '../credentials-of.ts';
import type { Credential } from '../types.ts';

/** Lines of a table that is complete: those in `lines` come on top, and replace what they name. */
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

/** What the tables of a user's policy come to. */
export function credentialsIn(tables: string): readonly Credential[] {
  return credentialsOf(policyFrom({ user: openNetwork + tables }));
}

/** The credential that a table is named for. */
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

/** What is wrong with the text of a policy; line 1 is its version. */
export function told(text: string, kind?: LayerKind): readonly Told[] {
  return problemsIn(`version = 1\n${text}`, kind).map(({ line, message, remedy }) => ({ line, message, remedy }));
}
