import process from 'node:process';
import type { ApprovalQueue, Outcome, Subject } from '../../approvals/index.ts';
import { requestHash } from '../../approvals/queue/request-hash.ts';
import type { Approve } from '../notify/approve.ts';

export interface LibraryChannel {
  ask(subject: Subject): Promise<Outcome>;
}

/** The program's own function as a channel: it is called once for each question, with the request itself, and its answer is good once. */
export function libraryChannel(queue: ApprovalQueue, { session, approve }: { readonly session: string; readonly approve: Approve }): LibraryChannel {
  const subjects = new Map<string, Subject>();
  queue.subscribe((change) => {
    const { hash } = change.approval;
    const subject = subjects.get(hash);
    if (change.kind === 'asked' && subject !== undefined) void answerOf(approve, subject).then((decision) => queue.answer({ hash, decision, channel: 'library' }));
  });
  return {
    ask(subject) {
      const hash = requestHash(session, subject);
      subjects.set(hash, subject);
      return queue.ask(subject).finally(() => subjects.delete(hash));
    },
  };
}

/** What throws, or is no answer, is a no. */
async function answerOf(approve: Approve, { request, verdict, process: asking = process.pid, details }: Subject): Promise<'once' | 'deny'> {
  try {
    return (await approve({ request, verdict, process: asking, ...(details === undefined ? {} : { details }) })) === 'allow' ? 'once' : 'deny';
  } catch {
    return 'deny';
  }
}
