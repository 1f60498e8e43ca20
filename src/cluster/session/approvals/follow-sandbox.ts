import type { ApprovalWatch, WatchedChange } from '../../../approvals/index.ts';
import type { ClusterConnection } from '../connection.ts';
import { type AskingContainer, followApprovals } from './follow-approvals.ts';

export interface AskingSandbox extends Pick<AskingContainer, 'name' | 'pod'> {
  readonly containers: readonly AskingContainer['container'][];
}

/**
 * Follows the questions of all containers of a sandbox that ask. The end of one ends the others: a person who sees half
 * of the questions would take silence for consent.
 */
export function followSandbox(
  connection: ClusterConnection,
  { containers, ...sandbox }: AskingSandbox,
  onChange?: (change: WatchedChange) => void,
): ApprovalWatch {
  const all = containers.map((container) => followApprovals(connection, { ...sandbox, container }, onChange));
  const close = (): void => all.forEach((each) => each.close());
  const ready = Promise.all(all.map((each) => each.ready)).then(() => undefined);
  const ended = Promise.race(all.map((each) => each.ended)).then(close);
  ready.catch(() => undefined);
  return {
    ready,
    ended: ended.then(() => Promise.all(all.map((each) => each.ended))).then(() => undefined),
    pending: () => all.flatMap((each) => each.pending()).toSorted((one, other) => one.askedAt - other.askedAt),
    answer: async (given) => {
      const asker = all.find((each) => each.pending().some(({ hash }) => hash === given.hash));
      return (await asker?.answer(given)) ?? { kind: 'unknown' };
    },
    close,
  };
}
