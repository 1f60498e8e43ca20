import { setTimeout as sleep } from 'node:timers/promises';
import type { PendingApproval } from '../../../approvals/index.ts';
import type { ClusterConnection } from '../connection.ts';
import { askerOf, type AskingContainer, followApprovals } from './follow-approvals.ts';

/** The number of questions that get a line each. A screen full of them would hide the command's output. */
const mostTold = 3;
const mostTries = 5;

export interface ToldQuestions {
  /** Resolves when the container hears this machine, or definitely does not. */
  readonly heard: Promise<void>;
  close(): void;
}

/**
 * While it is open, questions of a container wait for a person, and a line names the place to answer. The command may
 * paint over the terminal, so nobody answers there.
 */
export function tellQuestions(
  connection: ClusterConnection,
  asking: AskingContainer,
  onNotice: (line: string) => void,
): ToldQuestions {
  const stop = new AbortController();
  const first = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    for (let tries = 0; tries < mostTries && !stop.signal.aborted; tries += 1) {
      const watch = followApprovals(connection, asking, (change) => {
        if (change.kind === 'asked') tell(change.approval, watch.pending().length);
      });
      stop.signal.addEventListener('abort', () => watch.close(), { once: true });
      await watch.ready.catch(() => undefined);
      first.resolve();
      await watch.ended;
      await sleep(500 * 2 ** tries, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    if (!stop.signal.aborted) onNotice(`this machine no longer hears ${askerOf(asking)}, so its questions are denied`);
  };
  const where = `holdfast cluster approvals ${asking.name}${namespaceOption(connection)}`;
  const tell = ({ id, title, askedAt, expiresAt }: PendingApproval, waiting: number): void => {
    if (waiting > mostTold + 1) return;
    const seconds = Math.round((expiresAt - askedAt) / 1000);
    onNotice(
      waiting > mostTold
        ? `more questions wait: ${where} watch`
        : `waits ${seconds} s for approval: ${title}; answer in another terminal: ${where} allow ${id}`,
    );
  };
  void follow();
  return { heard: first.promise, close: () => stop.abort() };
}

function namespaceOption({ namespace, target }: ClusterConnection): string {
  return namespace === target.access.namespace ? '' : ` --namespace ${namespace}`;
}
