import type { EgressRefusal, EgressRefusalCode, Refused } from '../types.ts';

export function noHost(): Refused {
  return refusedWith('malformed-host', 'what was to be looked up is no host name', 'use a name of letters, digits, hyphens and dots');
}

export function noSuchName(name: string): Refused {
  return refusedWith('name-not-found', `${name} does not exist`, 'check the spelling of the name');
}

export function noAddress(name: string): Refused {
  return refusedWith('name-not-found', `${name} exists but has no address`, 'check the spelling of the name');
}

export function contradictory(name: string, reason: string): Refused {
  return refusedWith('resolver-failed', `${name} could not be looked up: ${reason}`, 'tell the owner of the name, or name the address in the policy instead');
}

export function noAnswer(name: string, reasons: readonly string[]): Refused {
  const tried = reasons.length === 0 ? 'there was no time left' : reasons.join('; ');
  return refusedWith('resolver-failed', `${name} could not be looked up (${tried})`, 'check the network of the host and the name servers in its /etc/resolv.conf');
}

export function tooManyLookUps(name: string): Refused {
  return refusedWith('overloaded', `${name} was not looked up: too many other look-ups are going on`, 'try again in a few seconds');
}

export function abandoned(name: string): Refused {
  return refusedWith('resolver-failed', `the look-up of ${name} was given up because nobody waits for it any more`, 'try again');
}

function refusedWith(code: EgressRefusalCode, message: string, remedy: string): Refused {
  return { kind: 'refused', refusal: { code, message, remedy } satisfies EgressRefusal };
}
