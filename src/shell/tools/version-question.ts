import type { Word } from '../types.ts';
import { plainText } from './words.ts';

/**
 * Programs that print their version and do nothing else when asked for it, but more than reading otherwise. Programs
 * that read the project's settings first (gradle, mvn, bundle) are not among them.
 */
const answers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...'rustc cargo make gmake cmake ctest ninja meson tsc npx psql mysql split csplit nc ncat rsync gcc g++ cc clang'
    .split(' ')
    .map((name): [string, readonly string[]] => [name, ['--version', '-V']]),
  ['javac', ['-version', '--version']],
  ['kubectl', ['version --client']],
  ['helm', ['version']],
]);

/** Whether the words after a program's name ask only for its version. */
export function asksForVersion(name: string, words: readonly Word[]): boolean {
  if (words.length === 0 || words.length > 2) return false;
  return answers.get(name)?.includes(words.map((word) => plainText(word) ?? '$').join(' ')) === true;
}
