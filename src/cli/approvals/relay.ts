import type { Readable } from 'node:stream';
import process from 'node:process';
import type { ApprovalWatch, WatchedChange } from '../../approvals/index.ts';
import { lineReader } from '../../approvals/socket/connect-session.ts';
import { encodeApprovalLine, readClientMessage, type ServerMessage } from '../../approvals/socket/messages.ts';
import { type ApprovalsInput, openedApprovals, refuseWords } from './answer.ts';

/**
 * The far end of another machine's approvals. It says each question as a line of JSON, and takes answers as lines from its
 * input. It ends with that, and when it hears nothing for too long: nobody is there then.
 */
export async function relayApprovals(input: ApprovalsInput, words: readonly string[]): Promise<number> {
  refuseWords('relay', words);
  const { io } = input;
  const say = (message: ServerMessage): void => void io.stdout.write(encodeApprovalLine(message));
  const watch = openedApprovals(input, (change) => say(messageOf(change)));
  await watch.ready;
  say({ kind: 'ready' });
  await relayAnswers(watch, { answers: process.stdin, say, silent: () => process.exit(0) });
  watch.close();
  return 0;
}

interface Relayed {
  /** Lines of the other end. */
  readonly answers: Readable;
  readonly say: (message: ServerMessage) => void;
  /** Called when the other end has said nothing for `longestSilence`. */
  readonly silent: () => void;
}

/** Milliseconds. The other end says an empty line three times as often. */
export const longestSilence = 45_000;
/** Bytes. An answer has less than 300. */
const longestAnswer = 4096;

/** Passes answers on until their end, or until a line that is too long. */
export async function relayAnswers(
  watch: Pick<ApprovalWatch, 'answer'>,
  { answers, say, silent }: Relayed,
): Promise<void> {
  const reader = lineReader(longestAnswer);
  const silence = setTimeout(silent, longestSilence);
  answers.on('error', () => undefined);
  for await (const bytes of answers as AsyncIterable<Buffer>) {
    silence.refresh();
    const lines = reader.push(bytes);
    if (lines === 'too-long') break;
    for (const line of lines) {
      const message = readClientMessage(line);
      if (message?.kind !== 'answer') continue;
      const { kind: _kind, number, code, ...given } = message;
      const result = await watch.answer({ ...given, ...(code === undefined ? {} : { code }) });
      say({ kind: 'answered', number, result });
    }
  }
  clearTimeout(silence);
}

function messageOf(change: WatchedChange): ServerMessage {
  switch (change.kind) {
    case 'asked':
      return { kind: 'asked', approval: change.approval };
    case 'resolved':
      return { kind: 'resolved', hash: change.approval.hash, outcome: change.outcome };
    case 'lost': {
      const outcome = { kind: 'denied', because: 'closed', message: 'its session has ended' } as const;
      return { kind: 'resolved', hash: change.approval.hash, outcome };
    }
  }
}
