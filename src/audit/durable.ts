import type { JournalEvent } from './events.ts';

type Rules = { readonly [Type in JournalEvent['type']]: boolean | ((event: Extract<JournalEvent, { readonly type: Type }>) => boolean) };

/** What has to be on the disk before its effect: every refusal, every answer of a person, and whatever looks like an attack. */
const durable: Rules = {
  'refusal': true,
  'quarantine': true,
  'alarm': true,
  'approval.requested': true,
  'approval.resolved': true,
  'trust.decided': true,
  'trust.withheld': true,
  'journal.keyed': true,
  'journal.begun': true,
  'enforcement': ({ outcome }) => outcome === 'approved',
  'connection': ({ refusal, decision }) => refusal !== undefined || decision === 'deny',
  'request': ({ refusal, decision }) => refusal !== undefined || decision === 'deny',
  'statement': ({ decision }) => decision === 'deny',
  'model': ({ refusal }) => refusal !== undefined,
  'dlp': ({ decision }) => decision === 'block',
  'session.start': false,
  'session.end': false,
  'journal.rotated': false,
  'journal.repaired': false,
  'journal.lost': false,
  'journal.clock': false,
  'staged.accept': false,
  'staged.discard': false,
  'staged.undo': false,
  'staged.fork': false,
  'policy.narrow': false,
  'code.run': false,
  'trash.restore': false,
  'trash.purge': false,
  'checkpoint.create': false,
  'checkpoint.restore': false,
  'checkpoint.remove': false,
  'text': false,
  'credential': false,
};

/** True for an event that `appendEvents` has on the disk before it returns. */
export function isDurable(event: JournalEvent): boolean {
  const rule = durable[event.type] as boolean | ((event: JournalEvent) => boolean);
  return typeof rule === 'function' ? rule(event) : rule;
}
