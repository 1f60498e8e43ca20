import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { programOnPath } from '../../agents/profiles/agent-program.ts';
import { profileNames } from '../../agents/profiles/profiles.ts';
import type { PendingApproval } from '../../approvals/index.ts';
import { socketDirectory } from '../../approvals/socket/socket-place.ts';
import { newestEntries } from '../../audit/newest-entries.ts';
import { type HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { isInsideBox } from '../../place/host/inside-box.ts';
import { statePaths, type StatePaths } from '../../place/host/state-paths.ts';
import { findWorkspace } from '../../place/host/workspace.ts';
import { readPlace } from '../../place/place.ts';
import { projectFile } from '../../place/policy-texts.ts';
import type { Problem } from '../../policy/document/problem.ts';
import { type RefusalEntry, refusalOf } from '../../sandbox/why.ts';
import { findLayers } from '../../staged/store/open-layer.ts';
import { openWatch } from '../approvals/answer.ts';
import type { CommandIo } from '../command.ts';

/** Settings, recent events and pending questions of a directory. */
export interface DirectoryState {
  readonly where: 'inside' | 'outside';
  readonly workspace: string;
  readonly policies: readonly { readonly kind: 'managed' | 'user' | 'project'; readonly file: string }[];
  /** Newest first. */
  readonly refusals: readonly RefusalEntry[];
  readonly staged: readonly { readonly id: string; readonly created: number }[];
  readonly approvals: readonly PendingApproval[];
  /** Agents with a profile that are on the search path. */
  readonly agents: readonly string[];
  /** Facts that could not be found, and why. The rest is still reported. */
  readonly problems: readonly StateProblem[];
}

export interface StateProblem {
  readonly part: 'workspace' | 'policy' | 'refusals' | 'staged' | 'approvals';
  readonly message: string;
  readonly remedy: string;
}

const mostRefusals = 3;
/** Newest entries of the journal that are read. Reading all of a long journal would take too long. */
const entriesRead = 500;

/** Starts and writes nothing. */
export async function directoryState(io: Pick<CommandIo, 'cwd' | 'environment'>): Promise<DirectoryState> {
  const home = homedir();
  const paths = statePaths(home, io.environment);
  const problems: StateProblem[] = [];
  const look = async <Found>(part: StateProblem['part'], find: () => Found | Promise<Found>, none: Found) => {
    try {
      return await find();
    } catch (error) {
      problems.push({ part, ...problemOf(error) });
      return none;
    }
  };
  // A beginner may run this in the home directory, which is no workspace.
  const workspace = await look('workspace', () => findWorkspace({ cwd: io.cwd, home }).root, io.cwd);
  const isWorkspace = problems.length === 0;
  // A box has neither the files nor the facts made from them.
  const where = isInsideBox() ? 'inside' : 'outside';
  if (where === 'outside' && isWorkspace) await look('policy', () => checkPolicy(io, paths, workspace), undefined);
  return {
    where,
    workspace,
    policies: policiesOf(paths, workspace),
    refusals: await look('refusals', () => lastRefusals(paths.journal, workspace), []),
    staged: await look('staged', () => stagedIn(paths.state, workspace), []),
    approvals: await look('approvals', () => waitingIn(io, paths.runtime, workspace), []),
    agents: profileNames.filter((name) => programOnPath(name, io.environment['PATH'] ?? '') !== undefined),
    problems,
  };
}

function problemOf(error: unknown): Pick<StateProblem, 'message' | 'remedy'> {
  if (isHoldfastError(error)) return { message: firstOf(error), remedy: error.remedy };
  if (error instanceof Error && 'errno' in error)
    return { message: error.message, remedy: 'make it readable for this user' };
  throw error;
}

/** Returns one line. Of several problems, it names the first: `holdfast policy check` has the others. */
function firstOf({ details, message }: HoldfastError): string {
  const [first] = (details['problems'] ?? []) as readonly Problem[];
  const text = first === undefined ? message : `${first.file}:${first.line}: ${first.message}`;
  return text.split('\n')[0] ?? '';
}

function policiesOf(paths: StatePaths, workspace: string): DirectoryState['policies'] {
  const places = [
    { kind: 'managed', file: paths.managedPolicy },
    { kind: 'user', file: paths.userPolicy },
    { kind: 'project', file: join(workspace, projectFile) },
  ] as const;
  return places.filter(({ file }) => isThere(file));
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Only if someone wrote a policy, because parsing one takes longer than all the rest. */
async function checkPolicy(io: Pick<CommandIo, 'cwd' | 'environment'>, paths: StatePaths, workspace: string) {
  if (policiesOf(paths, workspace).length === 0) return;
  const place = readPlace({ cwd: io.cwd, environment: io.environment });
  (await import('../../place/planner.ts')).policyOfPlace(place);
}

function lastRefusals(journal: string, workspace: string): readonly RefusalEntry[] {
  return newestEntries(journal, { count: entriesRead })
    .flatMap(({ entry }) => refusalOf(entry) ?? [])
    .filter((refusal) => refusal.workspace === workspace)
    .slice(0, mostRefusals);
}

function stagedIn(state: string, workspace: string): DirectoryState['staged'] {
  return findLayers(state)
    .layers.filter((layer) => layer.workspace === workspace)
    .map(({ id, created }) => ({ id, created }));
}

/** Milliseconds. A stopped session answers nobody. */
const patience = 200;

async function waitingIn(
  io: Pick<CommandIo, 'environment'>,
  runtime: string,
  workspace: string,
): Promise<readonly PendingApproval[]> {
  // The watch would make a missing directory.
  if (!isThere(socketDirectory(runtime))) return [];
  const watch = openWatch(io);
  try {
    await Promise.race([watch.ready, new Promise((resolve) => setTimeout(resolve, patience).unref())]);
    return watch.pending().filter((approval) => approval.workspace === workspace);
  } finally {
    watch.close();
  }
}
