import { parsePolicy } from '../document/parse.ts';
import type { Problem } from '../document/problem.ts';
import type { PolicyDocument } from '../document/types.ts';
import { compileLayer, type GrantSource, userLayer } from '../layers/compile-layer.ts';
import { builtinRequired } from '../layers/required.ts';
import { type Policy, policyOf } from '../policy.ts';
import type { LayerKind } from '../verdict.ts';

/** Home and workspace of the tests' user. */
export const places = { home: '/home/dev', workspace: '/home/dev/app' } as const;

/** A document from the lines of a policy. Fails the test if it has problems. */
export function documentFrom(text: string, file = 'policy.toml'): PolicyDocument {
  const parsed = parsePolicy(withVersion(text), { file });
  if (parsed.kind === 'problems')
    throw new Error(parsed.problems.map(({ line, message }) => `${file}:${line}: ${message}`).join('\n'));
  return parsed.document;
}

/** The problems of a text. Fails the test for a text without problems. */
export function problemsIn(text: string, kind?: LayerKind): readonly Problem[] {
  const parsed = parsePolicy(text, kind === undefined ? { file: 'policy.toml' } : { file: 'policy.toml', kind });
  if (parsed.kind === 'document') throw new Error(`no problem was found in:\n${text}`);
  return parsed.problems;
}

export interface PolicyTexts {
  readonly managed?: string;
  readonly user?: string;
  readonly project?: string;
  readonly session?: string;
  readonly granted?: readonly GrantSource[];
}

/** A session's policy with these files, including everything built in. */
export function policyFrom(texts: PolicyTexts = {}): Policy {
  const others = (['managed', 'project', 'session'] as const).flatMap((kind) => {
    const text = texts[kind];
    return text === undefined ? [] : [compileLayer(documentFrom(text, `${kind}.toml`), { kind, ...places })];
  });
  const user = texts.user === undefined ? undefined : documentFrom(texts.user, 'user.toml');
  return policyOf([builtinRequired(places), userLayer(user, places, texts.granted), ...others]);
}

/** Only the named layers, without anything built in. */
export function bareLayer(kind: 'managed' | 'project' | 'session', text: string): Policy['layers'][number] {
  return compileLayer(documentFrom(text, `${kind}.toml`), { kind, ...places });
}

function withVersion(text: string): string {
  return /^\s*version/m.test(text) ? text : `version = 1\n${text}`;
}
