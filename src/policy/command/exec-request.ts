import type { AnalysedInvocation, Word } from '../../shell/types.ts';
import type { ExecRequest } from '../request.ts';
import type { CommandFacts, ResolvedProgram } from './types.ts';

/** What a rule is asked about one command of a line. Undefined where it has no program, or none that is known; an empty name is none that anybody could allow. */
export function execRequestOf(invocation: AnalysedInvocation, { home }: Pick<CommandFacts, 'home'>, resolved: ResolvedProgram | undefined): ExecRequest | undefined {
  const [first, ...words] = invocation.argv;
  if (first?.kind !== 'static') return undefined;
  const name = textOf(first, home);
  const unknown = words.flatMap((word, index) => (word.kind === 'static' ? [] : [index + 1]));
  const program = name === '' || resolved === undefined || resolved.kind === 'missing' ? name : resolved.path;
  const request: ExecRequest = { kind: 'exec', program, argv: [name, ...words.map((word) => textOf(word, home))], context: 'direct' };
  return unknown.length === 0 ? request : { ...request, unknown };
}

function textOf(word: Word, home: string): string {
  if (word.kind !== 'static') return word.text;
  return word.lead === 'home' ? `${home}${word.value}` : word.value;
}
