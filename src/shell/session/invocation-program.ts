import type { ResolvedProgram } from '../../policy/command/types.ts';
import type { AnalysedInvocation } from '../types.ts';
import { type ProgramPlace, resolveProgram } from './resolve-program.ts';

export interface InvocationPlace extends Omit<ProgramPlace, 'cwd'> {
  /** Of the box; absolute. */
  readonly home: string;
}

/**
 * A command's program as it is written, with what it stands for. Undefined where the name is not known before it runs.
 */
export function invocationProgram(
  { argv: [first], cwd }: AnalysedInvocation,
  { home, path, mounts }: InvocationPlace,
): { readonly name: string; readonly resolved: ResolvedProgram } | undefined {
  if (first?.kind !== 'static') return undefined;
  const name = first.lead === 'home' ? `${home}${first.value}` : first.value;
  return { name, resolved: resolveProgram(name, { path, cwd, mounts }) };
}
