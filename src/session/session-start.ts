import type { JournalEvent } from '../audit/index.ts';
import { type Backend, partlyHeld } from '../backends/index.ts';
import type { Guarantee, Plan } from '../plan/index.ts';
import { buildEnvironment } from '../policy/settings/build-environment.ts';
import type { Place } from '../place/place.ts';
import type { PlacePlan } from '../place/place-plan.ts';
import type { Metadata } from './session-options.ts';
import type { Staging } from '../staged/session/staging.ts';

/** The session of a command, as far as its beginning is about it. */
export interface StartingSession {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly backend: Backend;
  readonly staging: Pick<Staging, 'layer'> | undefined;
  readonly metadata: Metadata | undefined;
}

/** What its boxes hold with gaps, because a person has named a backend that has some. */
export function gapsOf({
  backend,
  place,
  plan,
}: Pick<StartingSession, 'backend' | 'place' | 'plan'>): readonly Guarantee[] {
  return partlyHeld(plan, backend.guarantees(place));
}

/** What the journal says of a command that begins. */
export function startEvent(session: StartingSession, { command }: Plan): JournalEvent {
  const { id, place, plan, backend, staging, metadata } = session;
  const partial = gapsOf(session);
  return {
    type: 'session.start',
    session: id,
    workspace: place.workspace.root,
    argv: command.argv,
    cwd: command.cwd,
    backend: backend.name,
    uid: place.uid,
    policy: plan.digest,
    ...(staging === undefined ? {} : { staged: staging.layer.id }),
    ...(partial.length === 0 ? {} : { partial }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** The secrets that enter a box because somebody has written their names out, each with where: a line for a person. */
export function environmentNotice(
  { environment: rules }: Pick<PlacePlan, 'environment'>,
  host: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (Object.keys(rules.named).length === 0) return [];
  return buildEnvironment(rules, host).acknowledged.map(
    ({ name, rule, file, line }) => `${name} enters the box (${rule}, ${file}${line === 0 ? '' : `:${line}`})`,
  );
}
