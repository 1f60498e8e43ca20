import process from 'node:process';
import { systemDirectories } from '../../plan/fixed-paths.ts';
import type { Policy } from '../../policy/policy.ts';
import { namedPrograms } from '../../policy/programs/programs.ts';
import { isMultiCall } from '../judge/loader-word.ts';
import { fromReadable } from '../view/byte-text.ts';
import type { Program, ProgramView } from '../view/programs.ts';

type FoundInterpreters =
  | { readonly kind: 'found'; readonly interpreters: readonly Program[] }
  | { readonly kind: 'unnamed'; readonly text: string };

const mostInterpreters = 5;
export const atWorkingDirectory = -100;

/** `sh` may be a link to `dash`. A box could link to `dash` itself and bypass a rule about `sh`. */
export function aliasesOf(policy: Policy, view: ProgramView): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, string[]>();
  for (const path of [...(namedPrograms(policy)?.names ?? [])].flatMap((name) =>
    systemDirectories.map((directory) => `${directory}/${fromReadable(name)}`),
  )) {
    const found = view.find(process.pid, atWorkingDirectory, path);
    if (found.kind !== 'program' || isMultiCall(found.real)) continue;
    aliases.set(found.identity, [...(aliases.get(found.identity) ?? []), found.named]);
  }
  return aliases;
}

/**
 * An interpreter may itself be a script; the kernel follows four. `unnamed` (attack: `#!/proc/self/fd/5`): one of the
 * files has no path, so no rule can name it.
 */
export function interpretersOf(programs: ProgramView, thread: number, script: Program): FoundInterpreters {
  const interpreters: Program[] = [];
  for (
    let at: Program | undefined = script;
    at?.interpreter !== undefined && interpreters.length < mostInterpreters;
  ) {
    const next = programs.find(thread, atWorkingDirectory, at.interpreter.path);
    if (next.kind === 'unnamed') return next;
    // The kernel refuses missing files.
    at = next.kind === 'program' ? next : undefined;
    if (at !== undefined) interpreters.push(at);
  }
  return { kind: 'found', interpreters };
}
