import { release } from 'node:os';
import process from 'node:process';
import { backendNames, bubblewrapBackend, missingGuarantees, nativeBackend, type Backend, type BackendName, type BackendPresence, type GuaranteeVector } from '../../backends/index.ts';
import { isHoldfastError } from '../../errors/index.ts';
import type { CgroupFacts, Guarantee } from '../../plan/index.ts';
import { type CredentialCheck, checkCredentials } from '../credentials/check-credentials.ts';
import { readPlace } from '../place.ts';
import { planOwnCommand, startOwnCommand } from '../own-command.ts';
import { openSession } from '../session.ts';
import { cgroupFacts } from '../host/cgroups.ts';
import { withEmptyWorkspace } from './empty-workspace.ts';

/** What this machine offers and what each backend holds on it. */
export interface Examination {
  readonly kernel: string;
  readonly architecture: string;
  readonly uid: number;
  readonly cgroups: CgroupFacts;
  readonly backends: readonly BackendReport[];
  readonly credentials: readonly CredentialCheck[];
}

export interface BackendReport {
  readonly name: BackendName;
  readonly presence: BackendPresence;
  readonly guarantees: GuaranteeVector;
  /** Whether a box of the default policy starts and ends as it should; with the reason when it does not. */
  readonly start: { readonly kind: 'works'; readonly landlockAbi: number } | { readonly kind: 'fails'; readonly reason: string; readonly remedy: string };
  /** Guarantees of the default policy that are not held. */
  readonly missing: readonly Guarantee[];
  /** How far an open network reaches: every port by the packet filter, or listed ports where the kernel has no transparent proxying. */
  readonly network: NetworkReport;
}

export type NetworkReport = { readonly kind: 'every-port' | 'listed-ports' } | { readonly kind: 'fails'; readonly reason: string; readonly remedy: string };

const backends: Readonly<Record<BackendName, Backend>> = { native: nativeBackend, bubblewrap: bubblewrapBackend };

/** Starts one box per backend that is present; changes nothing else. */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<Examination> {
  const reports: BackendReport[] = [];
  for (const name of backendNames) reports.push(await examineBackend(backends[name], environment));
  return { kernel: release(), architecture: process.arch, uid: process.getuid?.() ?? -1, cgroups: cgroupFacts(), backends: reports, credentials: await examineCredentials(environment) };
}

/** Of the user's and the administrator's policy: those of a project have none. */
function examineCredentials(environment: Readonly<Record<string, string | undefined>>): Promise<readonly CredentialCheck[]> {
  return withEmptyWorkspace((workspace) => checkCredentials(readPlace({ cwd: workspace, workspace, environment }), environment));
}

/** Whether layers can lie where they would: that depends on the file system, which only a mount can tell. */
async function examineStaging({ name }: Backend, environment: Readonly<Record<string, string | undefined>>): Promise<'kernel' | 'none'> {
  try {
    return await withEmptyWorkspace(async (workspace): Promise<'kernel'> => {
      const session = await openSession({ cwd: workspace, workspace, backend: name, environment, staged: 'new' });
      try {
        await startOwnCommand(session, planOwnCommand(session, { argv: ['true'] }), { stdio: ['ignore', 'ignore', 'ignore'], stderr: 'direct' }).ended;
        return 'kernel';
      } finally {
        await session.staging?.close();
      }
    });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return 'none';
  }
}

async function examineBackend(backend: Backend, environment: Readonly<Record<string, string | undefined>>): Promise<BackendReport> {
  const presence = backend.presence();
  const promised = backend.guarantees({ uid: process.getuid?.() ?? -1, cgroups: cgroupFacts() });
  const guarantees = { ...promised, 'fs.stage': presence.kind === 'absent' || promised['fs.stage'] === 'none' ? promised['fs.stage'] : await examineStaging(backend, environment) };
  const common = { name: backend.name, presence, guarantees };
  if (presence.kind === 'absent') return { ...common, start: { kind: 'fails', reason: 'not installed', remedy: presence.remedy }, missing: [], network: { kind: 'fails', reason: 'not installed', remedy: presence.remedy } };
  const network = await examineNetwork(backend, environment);
  try {
    return await withEmptyWorkspace(async (workspace) => {
      const session = await openSession({ cwd: workspace, workspace, backend: backend.name, environment });
      const plan = planOwnCommand(session, { argv: ['true'] });
      const running = startOwnCommand(session, plan, { stdio: ['ignore', 'ignore', 'ignore'], stderr: 'direct' });
      await running.ended;
      const { landlockAbi } = await running.box.outcome;
      return { ...common, start: { kind: 'works', landlockAbi }, missing: missingGuarantees(plan, guarantees), network };
    });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { ...common, start: { kind: 'fails', reason: error.message, remedy: error.remedy }, missing: [], network };
  }
}

/** Starts a box with an open network, in which nothing is looked up or reached. */
async function examineNetwork(backend: Backend, environment: Readonly<Record<string, string | undefined>>): Promise<NetworkReport> {
  try {
    return await withEmptyWorkspace(async (workspace) => {
      const session = await openSession({ cwd: workspace, workspace, backend: backend.name, environment, grants: { hosts: ['doctor.invalid'] } });
      const running = startOwnCommand(session, planOwnCommand(session, { argv: ['true'] }), { stdio: ['ignore', 'ignore', 'ignore'], stderr: 'direct' });
      await running.ended;
      return running.reach === undefined ? { kind: 'fails', reason: 'no listener came out of the box', remedy: 'run `holdfast run --host example.com -- true` and see what it says' } : { kind: running.reach };
    });
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { kind: 'fails', reason: error.message, remedy: error.remedy };
  }
}
