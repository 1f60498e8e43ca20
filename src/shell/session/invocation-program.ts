import type { ResolvedProgram } from '../../policy/command/types.ts';
import type { AnalysedInvocation } from '../types.ts';
import { type ProgramPlace, resolveProgram } from './resolve-program.ts';

export interface InvocationPlace extends Omit<ProgramPlace, 'cwd'> {
  /** Absolute path in the box. */
  readonly home: string;
}

/**
 * Returns a command's program as written, with the file that it resolves to. Undefined if the name is unknown before it
 * runs.
 */
export function invocationProgram(
  { argv: [first], cwd }: AnalysedInvocation,
  { home, path, mounts }: InvocationPlace,
): { readonly name: string; readonly resolved: ResolvedProgram } | undefined {
  if (first?.kind !== 'static') return undefined;
  const name = first.lead === 'home' ? `${home}${first.value}` : first.value;
  return { name, resolved: resolveProgram(name, { path, cwd, mounts }) };
}
