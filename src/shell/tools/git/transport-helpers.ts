import { repositoryCode } from '../notation.ts';
import type { Opacity, Word } from '../../types.ts';

/**
 * `ext::` runs a command; `fd::` and other helpers may do anything: gitremote-helpers(7), CVE-2017-1000117 and its kin.
 */
export function transportHelpers(operands: readonly Word[]): readonly Opacity[] {
  return operands.flatMap((word) =>
    word.kind === 'static' && /^[\w+-]+::/u.test(word.value)
      ? [{ kind: 'inline-code', message: `\`${word.value}\` runs a transport helper`, span: word.span }]
      : [],
  );
}

export const remoteHelpers = repositoryCode('the helpers, hooks and transport programs that the repository configures');
