/** Analyses in a short form, for tests. The directory is /srv/project, and the home directory is /home/dev. */
import { wordAsTyped } from '../../tools/words.ts';
import type { AnalysedInvocation, Analysis, Opacity, PathEffect } from '../../types.ts';
import { analyse } from '../analyse.ts';
import type { ShellName } from '../languages.ts';

export const place = { cwd: '/srv/project', home: '/home/dev' };

export function analysed(text: string, shell: ShellName = 'bash'): Analysis {
  return analyse({ kind: 'script', text, shell }, place);
}

/** A command that no shell reads. */
export function analysedWords(...argv: readonly string[]): Analysis {
  return analyse({ kind: 'argv', argv }, place);
}

/** `1<0 rm x`: number, parent, words. */
export function tree({ invocations }: Analysis): readonly string[] {
  return invocations.map(
    ({ id, parent, argv }) => `${id}${parent === undefined ? '' : `<${parent}`} ${argv.map(wordAsTyped).join(' ')}`,
  );
}

/** Kinds of all reasons, of the whole and of each command, sorted and without duplicates. */
export function reasons(analysis: Analysis): readonly Opacity['kind'][] {
  return [...new Set(allReasons(analysis).map(({ kind }) => kind))].toSorted();
}

export function allReasons({ opaque, invocations }: Analysis): readonly Opacity[] {
  return [...opaque, ...invocations.flatMap(({ effects }) => effects.opaque)];
}

/** All effects of all commands: `read /a`, `write /a`, `delete /a/**`, `host example.com:80`, `run x`. */
export function effects({ invocations }: Analysis): readonly string[] {
  return invocations.flatMap(({ effects: { reads, writes, hosts, runs } }) => [
    ...[...reads, ...writes].map(pathText),
    ...hosts.map(({ host, port }) => `host ${host ?? '?'}${port === undefined ? '' : `:${port}`}`),
    ...runs.map(({ what }) => `run ${what}`),
  ]);
}

/** The only command whose first word is `program`. */
export function commandNamed(analysis: Analysis, program: string): AnalysedInvocation {
  const found = analysis.invocations.filter(({ argv }) => argv[0] !== undefined && wordAsTyped(argv[0]) === program);
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(`${found.length} commands are called ${program}: ${tree(analysis).join(', ')}`);
  return only;
}

function pathText({ use, path, scope }: PathEffect): string {
  return `${use} ${scope === 'tree' ? `${path === '/' ? '' : (path ?? '?')}/**` : (path ?? '?')}`;
}
