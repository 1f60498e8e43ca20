import type { Problem } from './document/problem.ts';
import type { FileStatement, FileUse, NameStatement } from './layers/layer.ts';
import { releases } from './names.ts';
import { builtinFile } from './origin.ts';
import type { Policy } from './policy.ts';
import { printable } from './words/printable.ts';
import { grantInstead, refusalInstead, searchedNames } from './words/instead.ts';

/**
 * Paths that no box could hold as they are written. Mounts open whole paths, and names are looked for by their components:
 * a pattern that is neither would be a line of a policy that is only words.
 */
export function fileProblems(policy: Policy): readonly Problem[] {
  const names = policy.layers.flatMap((layer) => layer.names());
  return policy.layers.flatMap((layer) => {
    const written = layer.files().filter(({ origin }) => origin.file !== builtinFile);
    return written.flatMap((statement) => checks[statement.use](statement, names) ?? []);
  });
}

type Check = (statement: FileStatement, names: readonly NameStatement[]) => Problem | undefined;

const checks: Readonly<Record<FileUse, Check>> = {
  read: checkGrant,
  write: checkGrant,
  ephemeral: checkGrant,
  deny: checkRefusal,
  protect: checkRefusal,
  release: checkRelease,
};

function checkGrant(statement: FileStatement): Problem | undefined {
  const { pattern, origin } = statement;
  if (pattern.kind !== 'subtree') return problem(statement, 'opens nothing: what is granted is mounted, and only whole paths can be', grantInstead(pattern.source));
  if (pattern.base.length > 0 || origin.layer !== 'user') return undefined;
  return problem(statement, 'grants the whole machine, and no box would be left', 'name the directories that are needed; those of the system are readable anyway');
}

function checkRefusal(statement: FileStatement): Problem | undefined {
  const { pattern } = statement;
  if (pattern.kind === 'subtree' || searchedNames(pattern.source) !== undefined) return undefined;
  return problem(statement, 'cannot be held by the kernel', `write "${refusalInstead(pattern.source)}"`);
}

/** A path that is released is left alone when its name is found; a name is released when it is no longer looked for. */
function checkRelease(statement: FileStatement, names: readonly NameStatement[]): Problem | undefined {
  const { pattern } = statement;
  if (pattern.kind === 'subtree' || names.some(({ name }) => releases(pattern, name))) return undefined;
  return problem(statement, 'releases nothing: it is no path, and no whole name of the built-in ones', 'write the path, or the name as `holdfast policy show` has it, such as "**/.env.*"');
}

function problem({ pattern, origin }: FileStatement, what: string, remedy: string): Problem {
  const { rule, file, line } = origin;
  return { code: 'HF_POLICY_INVALID', file, line, message: `"${printable(pattern.source)}" in ${printable(rule)} ${what}`, remedy: printable(remedy) };
}
