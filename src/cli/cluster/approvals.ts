import type { ApprovalWatch, WatchedChange } from '../../approvals/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { answerApprovals } from '../approvals/index.ts';
import type { CommandInput } from '../command.ts';
import { clusterOf, type ClusterAction, connectionOptions } from './actions.ts';

export const approvalsAction: ClusterAction = {
  options: [...connectionOptions, 'once', 'session', 'code', 'json'],
  takes: { name: true, command: false, more: 'words' },
  run: approvals,
};

const verbs: ReadonlySet<string> = new Set(['list', 'watch', 'allow', 'deny']);

/** As `holdfast approvals`, for the questions of one sandbox. */
async function approvals(input: CommandInput): Promise<number> {
  const [name = '', verb = 'list', ...words] = input.positionals;
  if (!verbs.has(verb))
    throw new HoldfastError('HF_USAGE', `expected ${[...verbs].join(', ')}, got ${JSON.stringify(verb)}`, {
      remedy: 'see `holdfast cluster --help`',
    });
  const cluster = await clusterOf(input);
  let listen: (change: WatchedChange) => void = () => undefined;
  const watch = await cluster.approvals(name, (change) => listen(change));
  const open = (onChange: typeof listen = listen): ApprovalWatch => {
    listen = onChange;
    for (const approval of watch.pending()) listen({ kind: 'asked', approval });
    return watch;
  };
  return answerApprovals({ ...input, open }, [verb, ...words]);
}
