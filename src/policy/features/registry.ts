import * as v from 'valibot';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { texts } from '../document/rule-schema.ts';
import type { LayerKind } from '../verdict.ts';
import { decisionLists } from './decision-lists.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

const release = v.optional(texts('Removes built-in denials of registry keys; only in user and managed policies'));

const policy = {
  registry: v.optional(v.strictObject({ allow: decisionLists.allow, deny: decisionLists.deny, release })),
} as const;

/** The Windows registry. */
export const registry = {
  name: 'registry',
  policy,
  patterns: { 'registry.allow': 'registry key', 'registry.deny': 'registry key', 'registry.release': 'registry key' },
  placed: ({ registry }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] =>
    usersOnly(registry?.release, layer, { at: 'registry.release', cannot: 'release registry keys' }),
} as const satisfies Feature;
