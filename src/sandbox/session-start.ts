import type { JournalEvent } from '../audit/index.ts';
import { partlyHeld } from '../backends/index.ts';
import type { Guarantee, Plan } from '../plan/index.ts';
import type { Session } from './session.ts';

/** What its boxes hold with gaps, because a person has named a backend that has some. */
export function gapsOf({ backend, place, plan }: Pick<Session, 'backend' | 'place' | 'plan'>): readonly Guarantee[] {
  return partlyHeld(plan, backend.guarantees(place));
}

/** What the journal says of a command that begins. */
export function startEvent(session: Session, { command }: Plan): JournalEvent {
  const { id, place, plan, backend, staging, metadata } = session;
  const partial = gapsOf(session);
  return { type: 'session.start', session: id, workspace: place.workspace.root, argv: command.argv, cwd: command.cwd, backend: backend.name, uid: place.uid, policy: plan.digest, ...(staging === undefined ? {} : { staged: staging.layer.id }), ...(partial.length === 0 ? {} : { partial }), ...(metadata === undefined ? {} : { metadata }) };
}
