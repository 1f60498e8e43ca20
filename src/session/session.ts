/**
 * The session room: commands in boxes of one policy and one workspace, from the plan to the end of each box.
 *
 * Policy texts and facts of the host are read in `place`. A feature's work for a session is in `src/FEATURE/session`.
 */
import process from 'node:process';
import { sessionApprovals, type SessionApprovals } from '../approvals/session/session-approvals.ts';
import { type Backend, missingGuarantees } from '../backends/backend.ts';
import type { SessionCredentials } from '../credentials/session/session-credentials.ts';
import { sessionNetwork, type SessionNetwork } from '../egress/session/session-network.ts';
import { HoldfastError } from '../errors/index.ts';
import { SupervisorThreads } from '../notify/session/supervisor-threads.ts';
import type { ConfigurationCopies } from '../place/shown-files.ts';
import { boxPath, fillPlan, templatePlan, type PlacePlan } from '../place/place-plan.ts';
import { type Place, readPlace } from '../place/place.ts';
import type { PolicyText } from '../place/policy-texts.ts';
import { knownNames, makeRoomForPlans, recallPlan, rememberPlan } from '../place/remembered-plan.ts';
import { noTrust, type SessionTrust } from '../place/session-trust.ts';
import { sessionBackend, writablePlaces } from '../place/writable-places.ts';
import type { Plan } from '../plan/types.ts';
import type { Admitted, CommandGuard, Entering } from '../shell/session/admission.ts';
import type { Staging } from '../staged/session/staging.ts';
import { lazyGate, type LazyGate } from '../trust/session/lazy-gate.ts';
import type { Metadata, SessionOptions } from './session-options.ts';

/** One policy, one workspace, one set of pinned roots, and any number of boxes. */
export interface Session {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly backend: Backend;
  /** `encodeBox` of the plan. A new staged layer changes it. */
  readonly box: Uint8Array;
  /** Policy layers added during the session. */
  readonly ceilings: PolicyText[];
  readonly metadata: Metadata | undefined;
  /** The host's environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly network: SessionNetwork;
  /** The files and variables by which a box trusts the session's certificate authority. Empty if TLS is never ended. */
  readonly trust: SessionTrust;
  /** Phantoms in the boxes. Undefined if the policy has no credentials. */
  readonly credentials: SessionCredentials | undefined;
  /** Phantoms of another session, whose network the boxes use. */
  readonly handedOver: SessionTrust;
  /** The staged layer. Undefined if writes go to the host. */
  readonly staging: Staging | undefined;
  readonly approvals: SessionApprovals;
  /** Decides which withheld files the boxes get. */
  readonly gate: LazyGate;
  /** Files of configuration that the next box gets without their secrets. */
  readonly copies: () => ConfigurationCopies['copies'];
  /** Judges the commands that enter. Undefined if the policy has no rules about commands. */
  readonly guard: CommandGuard | undefined;
  /** Supervisors that move from one box to the next. Undefined if the session runs one command. */
  readonly threads: SupervisorThreads | undefined;
  readonly spares: SessionOptions['spares'];
}

/** Loads the policy and plans for this host. Starts nothing. Throws a `HoldfastError` for faults of either. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const place = readPlace(options);
  const plan = recallPlan(place, options.environment) ?? (await makePlan(place, options));
  const id = `${Date.now().toString(36)}-${process.pid.toString(36)}-${instant()}`;
  const { environment, approve, terminal = 'none' } = options;
  const approvals = sessionApprovals({ session: id, place, environment, approve, terminal });
  const credentials = plan.credentials === 'none' ? undefined : await openCredentials({ id, place, plan, options });
  const ceilings: PolicyText[] = place.sources.filter(({ kind }) => kind === 'session');
  const network = sessionNetwork({
    id,
    place,
    environment,
    authority: plan.authority,
    credentials,
    approvals,
    ceilings,
    spares: options.spares,
  });
  const handedOver = options.phantoms === undefined ? noTrust : await takeOver(options.phantoms, credentials);
  const trust = plan.authority === 'none' ? noTrust : await network.trust();
  const backend = await sessionBackend(plan.backend);
  const staged = options.staged ?? strictStaging(plan, options);
  const staging =
    staged === undefined
      ? undefined
      : await (await import('../staged/session/stage-session.ts')).stageSession({
          choice: staged,
          boxes: options.stagedBoxes ?? 'one',
          place,
          backend,
          plan: templatePlan(plan),
        });
  const live = Buffer.from(plan.box, 'base64');
  const guard = plan.commands === 'open' ? undefined : await openGuard({ id, place, plan, options }, approvals);
  const gate = await lazyGate(place, plan, options.commands ?? 'one');
  // The plan of one command was compared with the files just now.
  const copies = options.commands === 'many' ? await laterCopies(place, plan) : () => plan.configuration.copies;
  const threads = options.commands === 'many' ? new SupervisorThreads() : undefined;
  const { spares } = options;
  return {
    id,
    place,
    plan,
    backend,
    ceilings,
    metadata: options.metadata,
    environment,
    network,
    trust,
    credentials,
    handedOver,
    staging,
    gate,
    copies,
    guard,
    approvals,
    threads,
    spares,
    get box() {
      return staging?.box ?? live;
    },
  };
}

function strictStaging({ manner }: PlacePlan, { whenStrict = 'refuses' }: SessionOptions): 'new' | undefined {
  if (manner === 'usual' || whenStrict === 'starts-nothing') return undefined;
  if (whenStrict === 'carries-out') return 'new';
  throw new HoldfastError('HF_STRICT', 'the policy is strict, and this command cannot run anything that way', {
    remedy: 'use `holdfast run`, or take `strict` out of the policy (docs/strict.md)',
  });
}

/** Prepares another plan for the next boxes of a session. The returned function switches to it at once. */
export async function otherParts(session: Session, place: Place, plan: PlacePlan): Promise<() => void> {
  const { id, environment, approvals } = session;
  const guard =
    plan.commands === 'open' ? undefined : await openGuard({ id, place, plan, options: { environment } }, approvals);
  const gate = await lazyGate(place, plan, 'many');
  const copies = await laterCopies(place, plan);
  return () =>
    void Object.assign(
      Object.defineProperty(session, 'box', { value: Buffer.from(plan.box, 'base64'), configurable: true }),
      { place, plan, guard, gate, copies },
    );
}

async function laterCopies(place: Place, { configuration }: PlacePlan): Promise<Session['copies']> {
  const { freshCopies } = await import('../place/copies/copies.ts');
  return () => freshCopies(configuration, place);
}

interface SessionStart {
  readonly id: string;
  readonly place: Place;
  readonly plan: PlacePlan;
  readonly options: Pick<SessionOptions, 'environment' | 'credentials'>;
}

async function openGuard(
  { id, place, plan, options: { environment } }: SessionStart,
  approvals: SessionApprovals,
): Promise<CommandGuard> {
  const { openCommandGuard } = await import('../shell/session/command-guard.ts');
  return openCommandGuard({
    session: id,
    place,
    approvals,
    mounts: templatePlan(plan).mounts,
    path: boxPath(plan.environment, environment),
    hostPath: environment['PATH'],
  });
}

async function openCredentials({
  id,
  place,
  plan,
  options: { environment, credentials: only },
}: SessionStart): Promise<SessionCredentials> {
  const { openSessionCredentials } = await import('../credentials/session/session-credentials.ts');
  return openSessionCredentials({
    id,
    place,
    environment,
    writableRoots: writablePlaces(plan),
    gitSettings: Number(plan.environment.set['GIT_CONFIG_COUNT'] ?? 0),
    ...(only === undefined ? {} : { only }),
  });
}

async function takeOver(file: string, own: SessionCredentials | undefined): Promise<SessionTrust> {
  return (await import('../credentials/session/hand-over.ts')).readHandOver(file, own === undefined ? 'none' : 'some');
}

/** Nanoseconds since the machine started. Never the same twice in a process. */
function instant(): string {
  return process.hrtime.bigint().toString(36);
}

async function makePlan(place: Place, options: SessionOptions): Promise<PlacePlan> {
  makeRoomForPlans(place);
  const { settlePlan } = await import('../place/planner.ts');
  const { plan, choice } = await settlePlan(place, options, knownNames(place));
  if (choice !== 'first') return plan;
  rememberPlan(place, plan);
  // Recalls the plan as every later run does. V8's compile cache comes from this process, and would otherwise lack the
  // code that only later runs use.
  return recallPlan(place, options.environment) ?? plan;
}

export interface BoxOptions {
  readonly argv: readonly string[];
  /** Absolute path inside the box. */
  readonly cwd?: string;
  /** Variables added to those that the policy lets through. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly settled?: Admitted['settled'];
  /** ID of the box that waits for the command. Default: the ID of a new box. */
  readonly box?: string;
}

/**
 * Returns the command as the policy lets it enter. Waits for an approval if the policy asks. Throws
 * `HF_COMMAND_REFUSED`.
 */
export async function admitCommand(session: Session, command: BoxOptions): Promise<BoxOptions> {
  const admission = session.guard?.admit(entering(session, command));
  if (admission === undefined) return command;
  return { ...command, ...(admission.kind === 'admitted' ? admission.command : await admission.answer()) };
}

/** Adds the start directory, which the session's guard needs. */
export function entering(
  { place }: Session,
  { argv, cwd = place.workspace.cwd, environment = {} }: BoxOptions,
): Entering {
  return { argv, cwd, environment };
}

/** Plans one command of this session. Throws if the backend does not enforce a required guarantee. */
export function planBox(
  session: Session,
  { argv, cwd, environment, settled, box: boxId = newBoxId(session) }: BoxOptions,
  staging: Pick<Staging, 'stage'> | undefined = session.staging,
): Plan {
  const { id, place } = session;
  const filled = fillPlan(session.plan, {
    id,
    boxId,
    argv,
    cwd: cwd ?? place.workspace.cwd,
    host: session.environment,
    environment: environment ?? {},
    trust: session.trust,
    credentials: session.credentials?.delivered ?? session.handedOver,
    shown: session.gate.shown(),
    copies: session.copies(),
  });
  const live =
    settled === undefined || settled.length === 0 ? filled : { ...filled, command: { ...filled.command, settled } };
  const wanted = staging?.stage(live) ?? live;
  const plan = session.backend.adapt?.(wanted, { scratch: `/tmp/holdfast-${place.uid}-${boxId}` }) ?? wanted;
  const missing = missingGuarantees(plan, session.backend.guarantees(place));
  if (missing.length === 0 && (staging !== undefined || !live.requires.includes('fs.stage'))) return plan;
  if (missing.length === 0) throw notStaged();
  throw new HoldfastError(
    'HF_GUARANTEE_MISSING',
    `the ${session.backend.name} backend cannot enforce here: ${missing.join(', ')}`,
    {
      remedy: 'see `holdfast doctor` for why, choose another --backend, or take the requirement out of the policy',
      details: { missing },
    },
  );
}

export function newBoxId({ id }: Session): string {
  return `${id}.${instant()}`;
}

/** A policy that requires staging is not satisfied by a backend that merely could stage. */
function notStaged(): HoldfastError {
  return new HoldfastError('HF_GUARANTEE_MISSING', 'the policy requires staged writes (guarantee: fs.stage)', {
    remedy: 'run with --staged',
    details: { missing: ['fs.stage'] },
  });
}
