import { askProgram } from '../ask-program.ts';
import { parseAnswer } from '../parse-answer.ts';
import type { ReadSource } from '../types.ts';

/** What a command of the user prints: the secret, or JSON with the secret and when it expires. */
export const readCommand: ReadSource<'command'> = async ({ argv, timeout, lifetime }, { injection }, context) => {
  const [program = '', ...words] = argv;
  const said = await askProgram({ program, words, timeout, remedy: 'run the command of this credential in a terminal, where it can say why and ask for what it needs' }, context);
  if (said.kind !== 'output') return said;
  const answer = parseAnswer(said.text, injection.kind, context.now());
  if (answer.kind !== 'answer' || answer.expires !== undefined || lifetime === undefined) return answer;
  return { ...answer, expires: context.now() + lifetime };
};
