import type { Backend } from '../backends/backend.ts';
import { encodeBox } from '../backends/launcher/encode-plan.ts';
import { isHoldfastError } from '../errors/index.ts';
import { wantedPaths } from '../plan/anchors.ts';
import { compilePlan } from '../plan/compile.ts';
import type { HostFacts } from '../plan/facts.ts';
import { resolverFiles } from '../plan/limits.ts';
import type { Plan } from '../plan/types.ts';
import { residentOf } from '../policy/backend-wish.ts';
import { commandsAreOpen } from '../policy/command/explain-command.ts';
import { credentialsOf } from '../policy/credentials/credentials-of.ts';
import { decide } from '../policy/decide.ts';
import type { Decision } from '../policy/verdict.ts';
import type { Policy } from '../policy/policy.ts';
import { namedPrograms } from '../policy/programs/programs.ts';
import type { PolicyRequest } from '../policy/request.ts';
import { environmentRules } from '../policy/settings/build-environment.ts';
import { isStrictPolicy } from '../policy/settings/switches.ts';
import { hiddenSurfaceNames } from '../trust/surfaces/hidden-surface-names.ts';
import { buildPolicy, policyDigests } from './build-policy.ts';
import { chooseBackend, type ChosenBackend, type Troubles } from './choose-backend.ts';
import { configurationCopies } from './copies/copies.ts';
import { failureError } from './failures.ts';
import { readGitPrograms } from './git-config/programs.ts';
import { absencesOf } from './host/absences.ts';
import { executionNeeds } from './host/execution-needs.ts';
import { pathFacts } from './host/path-facts.ts';
import { findPrograms } from './host/program-facts.ts';
import { boxPath, boxPlaceholder, idPlaceholder, type PlacePlan, templateTexts } from './place-plan.ts';
import { seenFile } from './remembered-plan.ts';
import type { Place } from './place.ts';
import type { Refusal } from './refusals/refusal.ts';
import { recently } from './remembered-plan.ts';
import { describeSession } from './session-file.ts';

/**
 * Returns the policy of a place. This file contains all code that parses policies. It is loaded only if a plan is not
 * remembered or a request was refused, which keeps a repeated `holdfast run` as fast as Node itself.
 */
export function policyOfPlace(place: Place): Policy {
  const { home, workspace, installation, paths, sources, bindMounts, grants, ownDirectories } = place;
  const parts = {
    home,
    workspace,
    visible: installation.visible,
    userFile: paths.userPolicy,
    sources,
    bindMounts,
    grants,
    ownDirectories,
  };
  return built(JSON.stringify(parts), () => buildPolicy(parts));
}

/**
 * A policy depends only on the texts, as just read, and on the other values named here. A changed file gives another
 * key.
 */
const built = recently<Policy>(16);

/** Returns the plan of every command of a place, with the facts it depends on. */
export function planPlace(place: Place, environment: Environment): PlacePlan {
  const policy = policyOfPlace(place);
  return planWith(place, environment, { policy, ...chooseBackend(place, policy) });
}

/** Like `planPlace`, with a backend that the caller has chosen, for another machine than this one. */
export function planAs(place: Place, environment: Environment, chosen: ChosenBackend): PlacePlan {
  return planWith(place, environment, { policy: policyOfPlace(place), ...chosen });
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettledPlan {
  readonly plan: PlacePlan;
  /**
   * `instead`: the backend was not tried, or replaces one that does not work here now. So the choice must be made again
   * next time.
   */
  readonly choice: 'first' | 'instead';
}

/**
 * Like `planPlace`, for boxes that will start. Tries out a backend if nobody has named one. A session without boxes
 * tries none, because a container for its proxy need not be able to run a box. `names`: further variables, in addition
 * to those of `environment`.
 */
export async function settlePlan(
  place: Place,
  { environment, boxes }: { readonly environment: Environment; readonly boxes?: 'none' },
  names: readonly string[] = [],
): Promise<SettledPlan> {
  if (boxes === 'none') return { plan: planPlace(place, environment), choice: 'instead' };
  const policy = policyOfPlace(place);
  for (let troubles: Troubles = {}; ; ) {
    const chosen = chooseBackend(place, policy, { troubles });
    const trouble =
      chosen.named === 'nobody' ? await backendTrouble(chosen.backend, place.installation.launcher) : undefined;
    if (trouble === undefined)
      return {
        plan: planWith(place, environment, { policy, names, seen: seenFile(place), ...chosen }),
        choice: Object.keys(troubles).length === 0 ? 'first' : 'instead',
      };
    troubles = { ...troubles, [chosen.backend.name]: trouble };
  }
}

function planWith(
  place: Place,
  environment: Environment,
  {
    policy,
    backend: { name: backend },
    named: namer,
    names = [],
    seen,
  }: ChosenBackend & { readonly policy: Policy; readonly names?: readonly string[]; readonly seen?: string },
): PlacePlan {
  const wanted = [...wantedPaths(policy, place.workspace, place.installation.visible), ...resolverFiles];
  const facts = pathFacts(wanted);
  const git = readGitPrograms({
    workTree: place.workspace.root,
    gitDirectories: place.workspace.gitDirectories,
    home: place.home,
    environment,
  });
  const environmentRule = environmentRules(policy, [...new Set([...Object.keys(environment), ...names])]);
  const named = namedPrograms(policy);
  const only = named?.nested === 'judged' ? (named.only ?? []) : [];
  const programs = findPrograms(
    [...new Set([...(named?.denied ?? []), ...only])],
    boxPath(environmentRule, environment),
  );
  const hostFacts: HostFacts = {
    user: { uid: place.uid, home: place.home },
    workspace: place.workspace,
    paths: facts,
    gitPrograms: git.paths,
    programs: programs.facts,
    executables: programs.facts
      .filter(({ program }) => only.includes(program))
      .map(({ program, real }) => ({ program, real, needs: executionNeeds(real) })),
    memory: place.memory,
    cgroups: place.cgroups,
    overlay: place.overlay,
    ipv6: place.ipv6,
    installation: place.installation.visible,
    environment: {},
    withheld: hiddenSurfaceNames(),
  };
  const compiled = compilePlan(policy, hostFacts, {
    argv: [''],
    sessionId: idPlaceholder,
    boxId: boxPlaceholder,
    session: describeSession(place, backend),
    always: namer === 'person' ? 'partial' : 'kernel',
  });
  const plan: Plan = seen === undefined ? compiled : { ...compiled, seen };
  const present = wanted.filter((path) => facts.get(path)?.kind === 'present');
  return {
    backend,
    present,
    facts: JSON.stringify(present.map((path) => facts.get(path))),
    gitConfig: git.stamp,
    configuration: configurationCopies({ place, gitConfigs: git.configs, policy, plan }),
    programs: programs.stamp,
    commands: commandsAreOpen(policy) ? 'open' : 'judged',
    absent: absencesOf(wanted.filter((path) => facts.get(path)?.kind !== 'present')),
    ...templateTexts(plan),
    box: encodeBox(plan).toString('base64'),
    environment: environmentRule,
    expects: plan.expects ?? [],
    manner: isStrictPolicy(policy) ? 'strict' : 'usual',
    resident: residentOf(policy),
    digests: policyDigests(place),
    withheld: hiddenSurfaceNames(),
    trust: policy.layers.some((layer) => layer.uses().some(({ kind }) => kind === 'trust')) ? 'ruled' : 'asked',
    credentials: credentialsOf(policy).length === 0 ? 'none' : 'some',
    authority: plan.network.kind === 'names' ? plan.network.authority : 'none',
  };
}

/**
 * Returns the requests of a program that the policy refuses, as far as its output shows them. If they are known to have
 * failed, requests without an approval count too.
 */
export function refusedOf(
  policy: Policy,
  requests: readonly PolicyRequest[],
  refusing: readonly Decision[] = ['deny'],
): readonly Refusal[] {
  return requests.flatMap((request) => {
    const verdict = decide(policy, request);
    return refusing.includes(verdict.decision)
      ? [{ request, verdict: { ...verdict, message: verdict.message, remedy: verdict.remedy } }]
      : [];
  });
}

const patience = 5000;
/** Characters of the message that are kept. */
const longest = 300;
/** A path that no box has. If only this path is missing, the box itself was built. */
const nothing = '/run/holdfast/nothing';

/** An empty box, in which nothing runs. */
const emptyPlan: Plan = {
  command: { argv: [nothing], cwd: '/', environment: {} },
  mounts: [
    { kind: 'proc', target: '/proc' },
    { kind: 'devices', target: '/dev', shmSize: 0 },
  ],
  protection: { roots: [], shownRoots: [], gitDirectories: [], names: [], guarded: [], released: [] },
  landlock: { minimumAbi: 0, execution: 'any', rules: [{ path: '/', access: 'read' }] },
  seccomp: { ptrace: 'deny' },
  notify: { kind: 'none' },
  programs: [],
  limits: { grace: 0, cgroups: [] },
  network: { kind: 'closed' },
  requires: [],
};

/**
 * Returns why a backend cannot build a box here, by building one. Undefined if it can. Only for backends whose boxes
 * are cheap.
 */
async function backendTrouble(backend: Backend, launcher: string): Promise<string | undefined> {
  if (backend.name !== 'native' && backend.name !== 'bubblewrap') return undefined;
  try {
    const box = backend.start(emptyPlan, { launcher, stdio: ['ignore', 'ignore', 'pipe'], stderr: 'direct' });
    let told = '';
    box.process.stderr?.on('data', (chunk: Buffer) => {
      told = `${told}${chunk.toString()}`.slice(0, longest);
    });
    const timer = setTimeout(() => box.process.kill('SIGKILL'), patience);
    const { failure } = await box.outcome.finally(() => clearTimeout(timer));
    if (failure?.stage === 'exec') return undefined;
    const [said = ''] = told.split('\n');
    const message = failure === undefined ? 'it did not start its command' : failureError(failure, nothing).message;
    return said === '' ? message : `${message}: ${said}`;
  } catch (error) {
    // A temporary shortage on the machine is no reason to choose another backend.
    if (!isHoldfastError(error) || error.details['scarce'] !== undefined) throw error;
    return error.message;
  }
}
