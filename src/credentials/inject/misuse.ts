import type { Destination, EgressRefusal, Refused } from '../../egress/types.ts';
import type { AlarmKind } from '../types.ts';

export type Misuse = AlarmKind & `phantom-${string}`;

/** Returns the refusal of a request with a misused phantom. `place` names the part of the request in words. */
export function misused(
  kind: Misuse,
  credential: string,
  { destination, place }: { readonly destination: Destination; readonly place: string },
): EgressRefusal {
  return {
    code: 'phantom-misused',
    message: `${begin(place)} of the request to ${textOf(destination)} holds the phantom of the credential "${credential}", ${reasons[kind].why}.`,
    remedy: reasons[kind].remedy,
  };
}

export function foreignKey(place: string, destination: Destination): EgressRefusal {
  return {
    code: 'foreign-credential',
    message: `${begin(place)} of the request to ${textOf(destination)} holds a key that is not this session's, and the session has a credential for that host.`,
    remedy:
      'Use the key that the environment or the files of the box give, or name the other one in [[credentials]] of your policy.',
  };
}

export function exposedSecret(
  credential: string,
  { destination, place }: { readonly destination: Destination; readonly place: string },
): EgressRefusal {
  return {
    code: 'secret-exposed',
    message: `${begin(place)} of the request to ${textOf(destination)} holds the secret of the credential "${credential}" itself.`,
    remedy:
      'Find out how the secret came into the box, remove it there, and renew it. Commands in a box need only a phantom of it.',
  };
}

export function inTheClear(credential: string, destination: Destination): EgressRefusal {
  return {
    code: 'credential-unavailable',
    message: `The credential "${credential}" goes out over TLS only, and the request to ${textOf(destination)} is in the clear.`,
    remedy:
      'Use https, or set transport = "plain" for this credential in your policy if the network on the way is yours.',
  };
}

export function wasRevoked(credential: string, destination: Destination): EgressRefusal {
  return {
    code: 'credential-unavailable',
    message: `The credential "${credential}", which every request to ${textOf(destination)} gets, was revoked.`,
    remedy: reasons['phantom-revoked'].remedy,
  };
}

const reasons: Readonly<Record<Misuse, { readonly why: string; readonly remedy: string }>> = {
  'phantom-unbound': {
    why: 'which is not bound to that host, method and path',
    remedy:
      'Send it only where `holdfast credentials show` says that it is bound, or bind it to this destination in [[credentials]] of your policy.',
  },
  'phantom-misplaced': {
    why: 'which does not belong there',
    remedy: 'Send it as `holdfast credentials show` says, and keep it out of everything else.',
  },
  'phantom-revoked': { why: 'which was revoked', remedy: 'Start a new session, which gives out new ones.' },
};

function begin(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/**
 * The secret cannot be put into a request. `why` completes the sentence "The credential NAME …". Neither text contains
 * any part of the secret.
 */
export function secretUnavailable(name: string, why: string, remedy: string): Refused {
  return refusedWith({ code: 'credential-unavailable', message: `The credential "${name}" ${why}.`, remedy });
}

export function refusedWith(refusal: EgressRefusal): Refused {
  return { kind: 'refused', refusal };
}

export function textOf({ host, port }: Destination): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
