import type { Policy } from '../policy.ts';
import { namedPrograms } from '../programs/programs.ts';
import type { ExecRequest } from '../request.ts';
import type { Verdict } from '../verdict.ts';
import { builtinFile } from '../origin.ts';
import { printable } from '../words/printable.ts';

/**
 * A policy that says `git` means the one of the system. A program of that name from a directory that the box can write to is
 * none of what the policy is about (attack: `node_modules/.bin/git` ahead of the real one). Undefined for all other names.
 */
export function plantedVerdict(policy: Policy, { program, argv: [name = ''] }: ExecRequest): Verdict | undefined {
  // By its path it is meant as it stands; rules about paths and names hold for it.
  if (name.includes('/') || namedPrograms(policy)?.names.has(name) !== true) return undefined;
  return {
    decision: 'deny',
    code: 'planted-program',
    rule: 'planted-program',
    layer: 'required',
    file: builtinFile,
    line: 0,
    message: `running ${printable(name)} is refused: it would start ${printable(program)}, which lies where the box can write, and the policy names ${printable(name)}`,
    remedy: `write the absolute path of the program that is meant, or take ${printable(program)} out of PATH`,
  };
}
