import type { Approve } from '../approvals/session/approve.ts';
import type { JournalEvent } from '../audit/index.ts';
import { type Backend, partlyHeld } from '../backends/backend.ts';
import { HoldfastError } from '../errors/index.ts';
import type { ConfigurationCopies } from '../place/shown-files.ts';
import type { PlacePlan } from '../place/place-plan.ts';
import type { Place, PlaceOptions } from '../place/place.ts';
import type { Guarantee, Plan } from '../plan/types.ts';
import { buildEnvironment } from '../policy/settings/build-environment.ts';
import type { StagedBoxes, StagedChoice, Staging } from '../staged/session/staging.ts';
import type { SpareParts } from './spare-parts.ts';
import { originPlace } from '../policy/origin.ts';

export interface SessionOptions extends PlaceOptions {
  /** Stages all writes. Default: writes go to the host, or to a new layer under a strict policy. */
  readonly staged?: StagedChoice;
  /**
   * The caller's behaviour under a strict policy. `carries-out`: it runs commands strictly, in a new layer by default.
   * `starts-nothing`: it runs no commands, or passes them on. Default: `refuses`, with `HF_STRICT`.
   */
  readonly whenStrict?: 'carries-out' | 'starts-nothing' | 'refuses';
  /** The number of boxes that may use the staged layer at a time. Default: `one`. */
  readonly stagedBoxes?: StagedBoxes;
  /** `none`: the session serves only the network, and tries out no backend. Default: boxes will start. */
  readonly boxes?: 'none';
  /** `many`: later commands see files that are approved or revoked during the session. Default: `one`. */
  readonly commands?: 'one' | 'many';
  /** Names of the credentials that boxes get. Default: all credentials of the policy. */
  readonly credentials?: readonly string[];
  /** A file of `holdfast proxy --trust`. The boxes get its phantoms. Default: those of the policy's credentials. */
  readonly phantoms?: string;
  /** Labels for the journal. */
  readonly metadata?: Metadata;
  /** Answers approvals. Default: other channels answer, and without any the request is denied. */
  readonly approve?: Approve;
  /** Parts made ahead of time. Default: each part is made when needed. */
  readonly spares?: SpareParts;
  /**
   * `ours`: a person started this process at its terminal, and may be asked there until a command has the terminal.
   * Default: `none`.
   */
  readonly terminal?: 'ours' | 'none';
}

/** Labels to distinguish sandboxes. They are not secret, because the journal holds them. */
export type Metadata = Readonly<Record<string, string>>;

const most = 32;
const longest = 256;

/**
 * Throws `HF_USAGE` for more than 32 labels. Throws it for a name with characters other than letters, digits, `.`, `_`
 * and `-`. Throws it for a value with control characters or more than 256 characters.
 */
export function checkedMetadata(metadata: Metadata): Metadata {
  const labels = Object.entries(metadata);
  const wrong = labels.find(
    ([name, text]) =>
      !/^[\w.-]{1,64}$/u.test(name) || typeof text !== 'string' || text.length > longest || /\p{Cc}/u.test(text),
  );
  if (wrong === undefined && labels.length <= most) return Object.freeze({ ...metadata });
  throw new HoldfastError(
    'HF_USAGE',
    wrong === undefined
      ? `a sandbox cannot have ${labels.length} labels`
      : `a sandbox cannot have the label ${JSON.stringify(wrong[0])}`,
    {
      remedy: `use at most ${most}, with names of letters, digits, ".", "_" and "-", and one line of at most ${longest} characters each`,
    },
  );
}

/** The parts of a session that the start of a command needs. */
interface StartingSession {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly backend: Backend;
  readonly staging: Pick<Staging, 'layer'> | undefined;
  readonly copies: () => ConfigurationCopies['copies'];
  readonly metadata: Metadata | undefined;
}

/** Guarantees that the boxes enforce with gaps, because a person named a backend that has some. */
export function gapsOf({
  backend,
  place,
  plan,
}: Pick<StartingSession, 'backend' | 'place' | 'plan'>): readonly Guarantee[] {
  return partlyHeld(plan, backend.guarantees(place));
}

/** Returns the journal event for the start of a command. */
export function startEvent(session: StartingSession, { command }: Plan): JournalEvent {
  const { id, place, plan, backend, staging, copies, metadata } = session;
  const redacted = copies().map(({ mount }) => mount.target);
  const partial = gapsOf(session);
  return {
    type: 'session.start',
    session: id,
    workspace: place.workspace.root,
    argv: command.argv,
    cwd: command.cwd,
    backend: backend.name,
    uid: place.uid,
    ...plan.digests,
    ...(staging === undefined ? {} : { staged: staging.layer.id }),
    ...(partial.length === 0 ? {} : { partial }),
    ...(redacted.length === 0 ? {} : { redacted }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/**
 * Returns lines for a person about the secrets that enter a box because their names are listed, each with the place of
 * the listing.
 */
export function environmentNotice(
  { environment: rules }: Pick<PlacePlan, 'environment'>,
  host: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  if (Object.keys(rules.named).length === 0) return [];
  return buildEnvironment(rules, host).acknowledged.map(
    ({ name, rule, file, line }) => `${name} enters the box (${rule}, ${originPlace({ file, line })})`,
  );
}
