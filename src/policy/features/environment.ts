import * as v from 'valibot';
import { loadedFromOutside } from '../document/entry-findings.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { texts, variableName } from '../document/rule-schema.ts';
import type { LayerKind } from '../verdict.ts';
import type { Feature } from './feature.ts';
import { notOfProjects } from './said-by.ts';

export const environmentEntry = v.strictObject({
  pass: v.optional(texts('Variables that enter the box')),
  deny: v.optional(texts('Variables that never enter the box')),
  set: v.optional(v.pipe(v.record(variableName, v.string()), v.description('Variables with fixed values'))),
});

const policy = { environment: v.optional(environmentEntry) } as const;

/** A project may not, because anyone who sets variables decides what runs. */
export const setsVariables = {
  cannot: 'set variables',
  remedy: 'put them into a [[propose]] entry, for the user to accept',
} as const;

export const environment = {
  name: 'environment',
  policy,
  patterns: { 'environment.pass': 'variable', 'environment.deny': 'variable' },
  placed: ({ environment }: PolicyPart<typeof policy>, layer: LayerKind): readonly DocumentFinding[] =>
    notOfProjects(environment?.set, layer, { at: 'environment.set', ...setsVariables }),
  findings: ({ environment }: PolicyPart<typeof policy>): readonly DocumentFinding[] =>
    loadedFromOutside('environment.pass', environment?.pass),
} as const satisfies Feature;
