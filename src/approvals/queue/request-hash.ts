import { createHash, randomBytes } from 'node:crypto';
import type { Subject } from '../types.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * What an answer is to: SHA-256, in lower-case hexadecimal, over everything that a person is shown, and a number of
 * this process. The process that asks is not in it: the same request of two processes is one question.
 */
export function requestHash(
  session: string,
  { request, verdict: { rule, file, message }, details = [] }: Subject,
  salt = own,
): string {
  return createHash('sha256')
    .update(canonicalJson({ version: 1, salt, session, request, rule, file, message, details }))
    .digest('hex');
}

/**
 * Attack: whoever asks knows all the rest, and could find two requests whose hashes begin alike in seconds. Then the
 * second takes the place of the first while a person types its ID.
 */
const own = randomBytes(32).toString('hex');
