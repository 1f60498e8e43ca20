import type { Assignment, Effects, HostEffect, Opacity, PathEffect, RunEffect, Word } from '../types.ts';
import type { Refinement } from './types.ts';

/** Findings about one command so far. Lives only while `effectsOf` runs. */
export interface CommandFindings {
  readonly reads: PathEffect[];
  readonly writes: PathEffect[];
  readonly runs: RunEffect[];
  readonly hosts: HostEffect[];
  readonly opaque: Opacity[];
  readonly commands: (readonly Word[])[];
  readonly scripts: Word[];
  readonly assignments: Assignment[];
}

export function noFindings(): CommandFindings {
  return { reads: [], writes: [], runs: [], hosts: [], opaque: [], commands: [], scripts: [], assignments: [] };
}

export function addOpaque(findings: CommandFindings, kind: Opacity['kind'], about: Omit<Opacity, 'kind'>): void {
  findings.opaque.push({ kind, ...about });
}

export function addRefinement(findings: CommandFindings, more: Refinement): void {
  append(findings.reads, more.reads);
  append(findings.writes, more.writes);
  append(findings.runs, more.runs);
  append(findings.hosts, more.hosts);
  append(findings.opaque, more.opaque);
  append(findings.commands, more.commands);
  append(findings.scripts, more.scripts);
}

/** Appends one by one: spread over the arguments of a call, a list of a hundred thousand overflows the stack. */
export function append<Item>(list: Item[], more: readonly Item[] = []): void {
  for (const item of more) list.push(item);
}

export function effectsIn({ reads, writes, runs, hosts, opaque }: CommandFindings): Effects {
  return { reads, writes, runs, hosts, opaque };
}
