import { HoldfastError } from '../../errors/index.ts';
import type { Session } from '../../session/session.ts';
import type { CommandInput } from '../command.ts';
import { askLevel, keepBundle } from './approve.ts';
import { isApprovable, isApproved } from './select-rows.ts';
import { workspaceTrust } from './workspace-trust.ts';

/**
 * Asks once about all withheld files. Asks nothing if another program has the terminal. Throws `HF_TRUST_REFUSED` if
 * the question was interrupted.
 */
export async function askAtStart({ place }: Session, input: CommandInput): Promise<'approved' | 'not approved'> {
  const { root } = place.workspace;
  const trust = await workspaceTrust(input, { root, paths: place.paths, look: 'again' });
  const rows = trust.rows.filter(
    (row) => row.found?.surface.gate === 'hidden' && isApprovable(row) && !isApproved(row),
  );
  if (rows.length === 0) return 'not approved';
  const bundle = { trust, rows, level: undefined, action: 'approve' } as const;
  const answer = await askLevel(bundle, {
    title:
      rows.length === 1
        ? 'let boxes have a file that programs load by themselves?'
        : `let boxes have ${rows.length} files that programs load by themselves?`,
    no: 'run without them',
  });
  if (answer === 'interrupted')
    throw new HoldfastError('HF_TRUST_REFUSED', 'nothing was approved, so nothing was run', {
      remedy: 'run it again and answer the questions, or see `holdfast trust status`',
    });
  if (answer === 'no' || answer === 'absent') return 'not approved';
  keepBundle(bundle, answer);
  return 'approved';
}
