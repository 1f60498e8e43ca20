import { appendEvents } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { visibleName } from '../../staged/diff/visible-text.ts';
import { readTrust } from '../../trust/store/read-trust.ts';
import { revokeApprovals } from '../../trust/store/change-trust.ts';
import { type CommandInput, isSet, printResult } from '../command.ts';
import { selectNamed } from './select-rows.ts';
import { trustPlace } from './workspace-trust.ts';

/** `holdfast trust remove PATH… | --all`: removes approvals of both levels, and bytes that nothing else names. */
export function trustRemoveCommand(input: CommandInput, named: readonly string[]): number {
  const { root, paths } = trustPlace(input);
  if (isSet(input.values['all']) === named.length > 0)
    throw new HoldfastError('HF_USAGE', 'expected paths, or --all', {
      remedy: 'write `holdfast trust remove .mcp.json`',
    });
  const chosen = new Set(
    selectNamed(readTrust(paths, root).entries, named, { root, io: input.io }).map(({ path }) => path),
  );
  const gone = revokeApprovals(paths, {
    workspace: root,
    revoked: ({ path }) => chosen.has(path),
    journal: (entries) =>
      appendEvents(paths.journal, [
        {
          type: 'trust.decided',
          workspace: root,
          action: 'revoke',
          files: entries.map(({ path, sha256, surface }) => ({ path, sha256, surface })),
        },
      ]),
  });
  const lines = gone
    .map(({ path, level }) => `revoked ${level.padEnd(7)} ${visibleName(Buffer.from(path))}\n`)
    .join('');
  printResult(
    input,
    { revoked: gone.map(({ path, level, sha256 }) => ({ path, level, sha256 })) },
    `${lines}${gone.length === 0 ? 'nothing was approved here\n' : 'commands that run have it until they end; those that start from now on do not\n'}`,
  );
  return 0;
}
