import { createHash, randomBytes } from 'node:crypto';
import type { ApprovalSubject } from '../types.ts';

/**
 * Returns the hash that an answer names: SHA-256, in lower-case hexadecimal, over everything that a person is shown and
 * a number of this process. The asking process is not included: the same request of two processes is one question.
 */
export function requestHash(
  session: string,
  { request, verdict: { rule, file, message }, details = [] }: ApprovalSubject,
  salt = own,
): string {
  return createHash('sha256')
    .update(canonicalJson({ version: 1, salt, session, request, rule, file, message, details }))
    .digest('hex');
}

/**
 * Attack: a requester knows all other parts, and could find in seconds two requests whose hashes begin alike. The
 * second would then replace the first while a person types its ID.
 */
const own = randomBytes(32).toString('hex');

/**
 * Returns JSON in one spelling: sorted keys, no blanks, and no properties without a value. Two values have the same
 * text only if they are equal. Lone surrogates are escaped as by JSON.stringify (ECMA-262, well-formed JSON.stringify).
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isPlainObject(inner) ? sorted(inner) : inner));
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype, so that a key `__proto__` is an ordinary one. */
function sorted(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const result = Object.create(null) as Record<string, unknown>;
  for (const key of Object.keys(value).toSorted()) result[key] = value[key];
  return result;
}
