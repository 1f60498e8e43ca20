import type { PendingApproval } from '../../approvals/index.ts';
import { isSet, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../listing.ts';
import { safeText } from '../safe-text.ts';
import { openWatch, refuseWords } from './open-watch.ts';

export async function listApprovals({ io, values }: CommandInput, words: readonly string[]): Promise<number> {
  refuseWords('list', words);
  const watch = openWatch(io);
  try {
    await watch.ready;
    const pending = watch.pending();
    if (isSet(values['json'])) io.stdout.write(jsonText({ approvals: pending }));
    else if (pending.length === 0) io.stdout.write('nothing waits for approval\n');
    else for (const approval of pending) io.stdout.write(`${shown(approval)}\n`);
  } finally {
    watch.close();
  }
  return 0;
}

function shown({ id, title, rule, workspace, expiresAt, confirmation }: PendingApproval): string {
  const left = Math.max(0, Math.ceil((expiresAt - Date.now()) / 1000));
  const code = confirmation === 'none' ? '' : ', wants a code';
  return `${id}  ${safeText(title)}\n    rule ${safeText(rule)}, in ${oneLine(workspace)}, ${left} s left${code}`;
}
