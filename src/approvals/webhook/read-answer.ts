import * as v from 'valibot';
import { type ApprovalDecision, decisions } from '../types.ts';
import { signedAt } from './signature.ts';

/** What an answer has to be to. */
export interface Expected {
  readonly secret: string;
  readonly hash: string;
  /** Of this question, and of no other one of whatever session. */
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface WebhookAnswer {
  readonly decision: ApprovalDecision;
  readonly code?: string;
}

/** Seconds that the clock of a service may be off. */
const tolerance = 300;

/** Why an answer is none, in words without anything of it. */
export type ReadAnswer = { readonly kind: 'answer'; readonly answer: WebhookAnswer } | { readonly kind: 'refused'; readonly why: string };

const answerSchema = v.strictObject({
  version: v.literal(1),
  hash: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/u)),
  nonce: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/u)),
  decision: v.picklist(decisions),
  expires: v.pipe(v.number(), v.integer()),
  code: v.optional(v.pipe(v.string(), v.maxLength(16))),
});

/** Reads the body of a response, whose bytes are hostile until the signature is found to be right. */
export function readAnswer({ signature, body }: { readonly signature: string; readonly body: string }, { secret, hash, nonce, now }: Expected): ReadAnswer {
  const signed = signedAt(secret, 'answer', { header: signature, body });
  if (signed === undefined) return refused('it is not signed with the secret');
  if (Math.abs(now / 1000 - signed) > tolerance) return refused('it was signed at another time');
  const parsed = v.safeParse(answerSchema, parse(body));
  if (!parsed.success) return refused('it is not written as an answer');
  const { decision, code, ...rest } = parsed.output;
  if (rest.hash !== hash || rest.nonce !== nonce) return refused('it is to another question');
  if (rest.expires * 1000 <= now) return refused('it has expired');
  return { kind: 'answer', answer: { decision, ...(code === undefined ? {} : { code }) } };
}

function refused(why: string): ReadAnswer {
  return { kind: 'refused', why };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
