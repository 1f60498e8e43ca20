import * as v from 'valibot';
import { approvalDecisions, type AnswerResult, type ApprovalOutcome, type PendingApproval } from '../types.ts';

/** Version of the protocol. Fields are only added under the same number, and readers ignore unknown ones. */
export const approvalsVersion = 1;

/** Channels that may answer through a socket. The others belong to the session itself. */
export const socketChannels = ['terminal', 'dashboard', 'editor'] as const;
export type SocketChannel = (typeof socketChannels)[number];

export type ClientMessage = v.InferOutput<typeof clientMessage>;
export type ServerMessage =
  /** The first message. */
  | {
      readonly kind: 'hello';
      readonly version: number;
      readonly session: string;
      readonly workspace: string;
      readonly process: number;
    }
  /** Sent once for each waiting question, then `ready`. */
  | { readonly kind: 'pending'; readonly approval: PendingApproval }
  | { readonly kind: 'ready' }
  | { readonly kind: 'asked'; readonly approval: PendingApproval }
  | { readonly kind: 'resolved'; readonly hash: string; readonly outcome: ApprovalOutcome }
  /** Reply to the answer with this number. */
  | { readonly kind: 'answered'; readonly number: number; readonly result: AnswerResult };

const hash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u));
const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const clientMessage = v.variant('kind', [
  v.object({ kind: v.literal('hello'), channel: v.picklist(socketChannels) }),
  v.object({
    kind: v.literal('answer'),
    number: whole,
    hash,
    decision: v.picklist(approvalDecisions),
    code: v.optional(v.pipe(v.string(), v.regex(/^[0-9]{6}$/u))),
  }),
]);

const approval = v.object({
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{4,64}$/u)),
  hash,
  session: v.string(),
  workspace: v.string(),
  title: v.string(),
  lines: v.array(v.string()),
  rule: v.string(),
  file: v.string(),
  line: v.number(),
  message: v.string(),
  remedy: v.string(),
  askedAt: v.number(),
  expiresAt: v.number(),
  always: v.optional(v.object({ file: v.string(), text: v.string() })),
  confirmation: v.picklist(['none', 'totp']),
  waiting: v.number(),
});

const channels = v.picklist(['terminal', 'prompt', 'dashboard', 'webhook', 'editor', 'library']);
const outcome = v.variant('kind', [
  v.object({ kind: v.literal('allowed'), decision: v.picklist(['once', 'session', 'always']), channel: channels }),
  v.object({
    kind: v.literal('denied'),
    because: v.picklist([
      'answer',
      'time-out',
      'nobody',
      'repeated',
      'full',
      'hidden',
      'closed',
      'withdrawn',
      'failure',
    ]),
    message: v.string(),
  }),
]);
const result = v.variant('kind', [
  ...(['taken', 'unknown', 'code-needed', 'code-wrong'] as const).map((kind) => v.object({ kind: v.literal(kind) })),
  v.object({ kind: v.literal('refused'), message: v.string() }),
]);

const serverMessage = v.variant('kind', [
  v.object({ kind: v.literal('hello'), version: whole, session: v.string(), workspace: v.string(), process: whole }),
  v.object({ kind: v.literal('pending'), approval }),
  v.object({ kind: v.literal('ready') }),
  v.object({ kind: v.literal('asked'), approval }),
  v.object({ kind: v.literal('resolved'), hash, outcome }),
  v.object({ kind: v.literal('answered'), number: whole, result }),
]);

export function encodeApprovalLine(message: ClientMessage | ServerMessage): string {
  return `${JSON.stringify(message)}\n`;
}

/** Returns a client's message, or undefined for an invalid one. */
export function readClientMessage(line: string): ClientMessage | undefined {
  return read(clientMessage, line);
}

/** Returns a session's message, or undefined for an invalid one. */
export function readServerMessage(line: string): ServerMessage | undefined {
  return read(serverMessage, line) as ServerMessage | undefined;
}

function read<T extends v.GenericSchema>(schema: T, line: string): v.InferOutput<T> | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(line));
    return parsed.success ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}
