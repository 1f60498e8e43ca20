import type { Problem } from './document/problem.ts';
import type { FileUse } from './layers/layer.ts';
import type { Origin } from './origin.ts';
import { anchorBase } from './anchors.ts';
import type { Policy } from './policy.ts';

/**
 * Reports valid lines without an effect on this machine: rules about a Windows registry, and grants of paths that do
 * not exist. Not an error: a policy may serve several machines.
 */
export function inertRules(policy: Policy, exists: (path: string) => boolean): readonly Problem[] {
  const notes = policy.layers.flatMap((layer) => [
    ...layer.uses().flatMap(({ kind, origin }) => (kind === 'registry' ? [aboutRegistry(origin)] : [])),
    ...layer
      .files()
      .filter(({ use, pattern, origin }) => isGrant(use, origin) && !exists(anchorBase(pattern)))
      .map(({ pattern, origin }) => aboutMissing(pattern.source, origin)),
  ]);
  return notes.toSorted((a, b) => a.line - b.line);
}

function aboutRegistry({ rule, file, line }: Origin): Problem {
  return {
    code: 'HF_POLICY_INVALID',
    file,
    line,
    message: `note: "${rule}" is about the Windows registry, which this machine does not have`,
    remedy:
      'no change is needed: boxes of this machine have no registry; for Windows such rules are generated, not run',
  };
}

/** Lines of a policy file. Built-in grants and those of presets have no line. */
function isGrant(use: FileUse, { layer, line }: Origin): boolean {
  return layer === 'user' && line > 0 && (use === 'read' || use === 'write' || use === 'ephemeral');
}

function aboutMissing(path: string, { rule, file, line }: Origin): Problem {
  return {
    code: 'HF_POLICY_INVALID',
    file,
    line,
    message: `note: "${rule}" grants nothing: ${path} does not exist`,
    remedy: 'check the spelling, or create it; keep the line if another machine has the path',
  };
}
