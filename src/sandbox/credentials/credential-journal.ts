import { appendEvents, type AlarmEvent, type CredentialEvent } from '../../audit/index.ts';
import type { Alarm } from '../../credentials/index.ts';
import type { Destination } from '../../egress/index.ts';
import type { Place } from '../place.ts';

/** What happens to the credentials of one session, for its journal. */
export interface CredentialJournal {
  alarm(alarm: Alarm): void;
  used(credential: string, destination: Destination): void;
  note(credential: string, action: CredentialEvent['action'], message?: string): void;
}

/** A box in a loop raises the same alarm without end: of equal ones the journal holds as many. */
const mostAlike = 20;

/** The first use of a credential at a host, every change of its state, and alarms. */
export function credentialJournal({ id, place }: { readonly id: string; readonly place: Place }): CredentialJournal {
  const session = { session: id, workspace: place.workspace.root };
  const seen = new Map<string, number>();
  const times = (event: CredentialEvent | AlarmEvent): number => {
    const key = JSON.stringify(event);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count;
  };
  const write = (event: CredentialEvent | AlarmEvent, most: number): void => {
    if (times(event) <= most) appendEvents(place.paths.journal, [event]);
  };
  return {
    alarm: ({ kind, credential, destination, place: where }) => write({ type: 'alarm', ...session, alarm: kind, credential, ...destination, place: where }, mostAlike),
    used: (credential, destination) => write({ type: 'credential', ...session, credential, action: 'used', ...destination }, 1),
    note: (credential, action, message) => write({ type: 'credential', ...session, credential, action, ...(message === undefined ? {} : { message }) }, mostAlike),
  };
}
