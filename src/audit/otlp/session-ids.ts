import { createHash } from 'node:crypto';

/** IDs that are the same in every export of a session: what is exported twice is not told apart, and not doubled. */
export function sessionIds(session: string): { readonly traceId: string; readonly spanId: string } {
  const digest = createHash('sha256').update(`holdfast session ${session}`).digest('hex');
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) };
}
