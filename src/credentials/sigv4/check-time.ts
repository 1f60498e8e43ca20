import { tolerance } from './read-signature.ts';
import type { ClientSignature, Unsignable } from './types.ts';
import { unsignable, useAnSdk } from './unsignable.ts';

/**
 * Why the time of a signature is not one that AWS would take now, or undefined. A box must not have requests signed for a
 * later day, which could be sent when its session is over.
 */
export function timeProblem({ time, scope, lifetime }: ClientSignature, now: number): Unsignable | undefined {
  const at = millisecondsOf(time);
  if (at === undefined) return unsignable('its time is malformed', useAnSdk);
  if (scope.date !== time.slice(0, 8)) return unsignable('its time is of another day than its scope', useAnSdk);
  if (at > now + tolerance) return unsignable('its time lies more than fifteen minutes ahead', 'Set the clock right.');
  return now > at + lifetime ? unsignable('its signature has expired', 'Sign again; if it was signed just now, set the clock right.') : undefined;
}

function millisecondsOf(time: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(time);
  if (parts === null) return undefined;
  const at = Date.parse(`${parts[1]}-${parts[2]}-${parts[3]}T${parts[4]}:${parts[5]}:${parts[6]}Z`);
  return Number.isNaN(at) ? undefined : at;
}
