import { createHash } from 'node:crypto';
import { lineReader } from '../../../approvals/socket/connect-session.ts';
import { encodeApprovalLine, readServerMessage, type ServerMessage } from '../../../approvals/socket/messages.ts';
import type {
  AnswerResult,
  ApprovalWatch,
  GivenAnswer,
  PendingApproval,
  WatchedChange,
} from '../../../approvals/index.ts';
import { HoldfastError } from '../../../errors/index.ts';
import type { RemoteStream } from '../../../kube/index.ts';
import type { ClusterConnection } from '../connection.ts';
import { execIn, FirstWords } from '../pod-streams.ts';

/** A container in a cluster with questions for a person on this machine. */
export interface AskingContainer {
  /** Name of the sandbox. */
  readonly name: string;
  readonly pod: string;
  /** `supervisor` asks about connections, requests and credentials, `command` about the rest. */
  readonly container: 'supervisor' | 'command';
}

/** The container in a person's words. */
export function askerOf({ name, container }: Pick<AskingContainer, 'name' | 'container'>): string {
  return container === 'supervisor' ? `the supervisor of ${name}` : `the box of ${name}`;
}

/** Bytes of one question, and questions of one container at a time, so that no container crowds out another. */
const longestLine = 1 << 20;
const mostQuestions = 500;
/** Milliseconds for the delivery of an answer. */
const answerPatience = 15_000;
/** Milliseconds between signs of life. Without them, the far end gives up. */
const heartbeat = 15_000;

/**
 * Follows the questions of one container through the API server. They come from a cluster, so their number and size are
 * bounded. This machine gives them IDs, so none has the ID of another session's question.
 */
export function followApprovals(
  connection: ClusterConnection,
  asking: AskingContainer,
  onChange: (change: WatchedChange) => void = () => undefined,
): ApprovalWatch & { readonly ended: Promise<void> } {
  const followed = new FollowedApprovals(asking, onChange);
  void followed.open(connection);
  return followed;
}

class FollowedApprovals implements ApprovalWatch {
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  readonly #asking: AskingContainer;
  readonly #onChange: (change: WatchedChange) => void;
  /** By this machine's hash. */
  readonly #questions = new Map<string, { readonly shown: PendingApproval; readonly hash: string }>();
  readonly #waiting = new Map<number, (result: AnswerResult) => void>();
  readonly #reader = lineReader(longestLine);
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #stream: RemoteStream | undefined;
  #beats: NodeJS.Timeout | undefined;
  #number = 0;
  #state: 'open' | 'closed' = 'open';

  constructor(asking: AskingContainer, onChange: (change: WatchedChange) => void) {
    this.#asking = asking;
    this.#onChange = onChange;
    this.ready = this.#ready.promise;
    this.ended = this.#ended.promise;
    this.ready.catch(() => undefined);
  }

  async open(connection: ClusterConnection): Promise<void> {
    const { pod, container } = this.#asking;
    const argv = ['holdfast', 'approvals', 'relay'];
    const said = new FirstWords();
    try {
      const place = { pod, container, argv, stdin: 'open', terminal: 'none' } as const;
      const stream = await execIn(connection, place, (name, bytes) =>
        name === 'stderr' ? said.add(bytes) : this.#take(bytes),
      );
      this.#stream = stream;
      if (this.#state === 'closed') this.close();
      this.#beats = setInterval(() => void stream.write(Buffer.from('\n')), heartbeat).unref();
      const end = await stream.ended;
      const why = end.kind === 'lost' ? end.reason : said.text.replaceAll(/\s+/gu, ' ').trim().slice(0, 300);
      throw new HoldfastError('HF_CLUSTER_FAILED', `${askerOf(this.#asking)} tells no questions: ${why}`, {
        remedy: 'see `holdfast cluster list`, and whether the image has this version of Holdfast',
      });
    } catch (error) {
      this.#ready.reject(error);
      this.#finish();
    }
  }

  pending(): readonly PendingApproval[] {
    return [...this.#questions.values()].map(({ shown }) => shown);
  }

  async answer({ hash, decision, code }: GivenAnswer): Promise<AnswerResult> {
    const question = this.#questions.get(hash);
    if (question === undefined || this.#stream === undefined) return { kind: 'unknown' };
    // The policy of a pod is a copy, and its rules end with the pod.
    if (decision === 'always') return { kind: 'refused', message: 'no rule can be added to the policy of a pod' };
    const number = (this.#number += 1);
    const answered = new Promise<AnswerResult>((resolve) => this.#waiting.set(number, resolve));
    const given = { kind: 'answer', number, hash: question.hash, decision } as const;
    await this.#stream.write(Buffer.from(encodeApprovalLine({ ...given, ...(code === undefined ? {} : { code }) })));
    const late = setTimeout(() => this.#settle(number, tooLate), answerPatience);
    return answered.finally(() => clearTimeout(late));
  }

  close(): void {
    this.#state = 'closed';
    const stream = this.#stream;
    void stream?.endInput().then(() => stream.close());
  }

  #take(bytes: Buffer): void {
    const lines = this.#reader.push(bytes);
    const messages = lines === 'too-long' ? [undefined] : lines.map(readServerMessage);
    for (const message of messages) {
      if (message === undefined) return void this.#stream?.close();
      this.#hear(message);
    }
  }

  #hear(message: ServerMessage): void {
    if (message.kind === 'ready') this.#ready.resolve();
    else if (message.kind === 'answered') this.#settle(message.number, message.result);
    else if (message.kind === 'asked' || message.kind === 'pending') this.#ask(message.approval);
    else if (message.kind === 'resolved') {
      const hash = this.#own(message.hash);
      const question = this.#questions.get(hash);
      this.#questions.delete(hash);
      if (question !== undefined)
        this.#onChange({ kind: 'resolved', approval: question.shown, outcome: message.outcome });
    }
  }

  #ask({ always: _always, ...approval }: PendingApproval): void {
    const hash = this.#own(approval.hash);
    if (this.#questions.has(hash) || this.#questions.size >= mostQuestions) return;
    const { name, container } = this.#asking;
    const session = `${container === 'command' ? 'box of the ' : ''}cluster sandbox ${name}`;
    const shown = { ...approval, hash, id: hash.slice(0, 12), session };
    this.#questions.set(hash, { shown, hash: approval.hash });
    this.#onChange({ kind: 'asked', approval: shown });
  }

  /**
   * Attack: a cluster shows a harmless question under the hash of one that waits on this machine. Or the command's
   * container shows one under the hash of the supervisor's. A person then answers the other question.
   */
  #own(hash: string): string {
    const { pod, container } = this.#asking;
    return createHash('sha256').update(`${pod}\0${container}\0${hash}`).digest('hex');
  }

  #settle(number: number, result: AnswerResult): void {
    this.#waiting.get(number)?.(result);
    this.#waiting.delete(number);
  }

  #finish(): void {
    clearInterval(this.#beats);
    for (const number of this.#waiting.keys()) this.#settle(number, { kind: 'unknown' });
    for (const { shown } of this.#questions.values()) this.#onChange({ kind: 'lost', approval: shown });
    this.#questions.clear();
    this.#ended.resolve();
  }
}

const tooLate: AnswerResult = { kind: 'refused', message: 'the pod did not take the answer within 15 s' };
