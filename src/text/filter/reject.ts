import { HoldfastError } from '../../errors/index.ts';
import type { TextFinding, TextForm } from '../types.ts';
import { describeRun } from './describe-run.ts';
import { eachRun } from './each-run.ts';

/** Returns the first run of hidden characters in a text, or undefined. Lookalikes are visible, and do not count. */
export function findHidden(text: string, form: TextForm): TextFinding | undefined {
  let first: TextFinding | undefined;
  eachRun(text, form, (run) => {
    const isLeadingMark =
      run.start === 0 && run.end === 1 && text.startsWith('\ufeff') && (form === 'prose' || form === 'code');
    if (run.kind === 'bracket' || isLeadingMark) return 'on';
    first = describeRun(text, { ...run, kind: run.kind });
    return 'stop';
  });
  return first;
}

/**
 * Checks a text that will be stored, approved, run as a command or read as a policy. It must not have hidden
 * characters.
 *
 * @throws HoldfastError `HF_TEXT_REJECTED` that names the first finding and where it is.
 */
export function rejectHidden(text: string, form: TextForm): void {
  const found = findHidden(text, form);
  if (found === undefined) return;
  const carried = found.decoded === undefined ? '' : ` that carry "${found.decoded}"`;
  throw new HoldfastError(
    'HF_TEXT_REJECTED',
    `The text has hidden characters${carried}: ${found.what} (${found.kind}) at offset ${found.start}.`,
    {
      remedy: 'Remove the characters, or write them as visible escapes, and try again.',
      details: { finding: found, form },
    },
  );
}
