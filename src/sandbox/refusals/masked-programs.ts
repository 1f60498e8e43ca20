import type { DeniedProgram } from '../../plan/index.ts';
import type { ExecRequest } from '../../policy/index.ts';

const longestOutput = 65_536;
const longestLine = 4096;

/**
 * Programs that a plan has taken away, as far as a program says that it could not start them. A shell sees beforehand that nobody
 * may execute such a file, so that no supervisor hears of it.
 */
export function maskedRequests(output: string, programs: readonly DeniedProgram[]): readonly ExecRequest[] {
  const masked = programs.filter(({ held }) => held === 'mask');
  if (masked.length === 0) return [];
  const words = new Set(output.slice(-longestOutput).split(/\r?\n/u).flatMap((line) => namedIn(line.slice(-longestLine))));
  return masked.flatMap(({ program, path }): readonly ExecRequest[] => {
    const shown = [baseName(program), baseName(path), path].find((name) => words.has(name));
    return shown === undefined ? [] : [{ kind: 'exec', program: path, argv: [baseName(program)], context: 'nested' }];
  });
}

/** `sh: 1: git: Permission denied`, `make: git: Permission denied`, `[Errno 13] Permission denied: 'git'`, `spawn git EACCES`. */
function namedIn(line: string): readonly string[] {
  return refusals.flatMap((pattern) => pattern.exec(line)?.[1] ?? []);
}

const refusals = [/(?:^|[\s'"‘“`])([^\s'"‘’“”`:]+)['"’”`]?: [Pp]ermission denied/u, /[Pp]ermission denied: ['"‘“`]?([^\s'"‘’“”`:]+)/u, /spawn ([^\s:]+) EACCES/u];

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
