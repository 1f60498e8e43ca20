import { encodeBox } from '../backends/index.ts';
import { compilePlan, resolverFiles, wantedPaths, type HostFacts, type Plan } from '../plan/index.ts';
import { commandsAreOpen, credentialsOf, decide, type Decision, environmentRules, namedPrograms, residentOf, type Policy, type PolicyRequest } from '../policy/index.ts';
import { buildPolicy, policyDigest } from './build-policy.ts';
import { chooseBackend, type ChosenBackend, type Troubles } from './choose-backend.ts';
import { readGitPrograms } from './git-config/index.ts';
import { absencesOf } from './host/absences.ts';
import { executionNeeds } from './host/execution-needs.ts';
import { findPrograms } from './host/program-facts.ts';
import { pathFacts } from './host/path-facts.ts';
import type { Place } from './place.ts';
import { recently } from './recently.ts';
import { backendTrouble } from './backend-trouble.ts';
import { boxPath, boxPlaceholder, idPlaceholder, templateTexts, type PlacePlan } from './place-plan.ts';
import type { Refusal } from './refusals/refusal.ts';
import { hiddenSurfaceNames } from '../trust/surfaces/index.ts';
import { describeSession } from './session-file.ts';

/**
 * Everything that has to understand a policy. It is loaded only when a plan is not remembered or something was refused,
 * which keeps a repeated `holdfast run` as quick as Node itself.
 */
export function policyOfPlace(place: Place): Policy {
  const { home, workspace, installation, paths, sources, grants, ownDirectories } = place;
  const parts = { home, workspace, visible: installation.visible, userFile: paths.userPolicy, sources, grants, ownDirectories };
  return built(JSON.stringify(parts), () => buildPolicy(parts));
}

/** A policy is a function of the texts, as they were just read, and of what else is named here: a changed file is another key. */
const built = recently<Policy>(16);

/** The plan of every command of a place, with the facts it depends on. */
export function planPlace(place: Place, environment: Environment): PlacePlan {
  const policy = policyOfPlace(place);
  return planWith(place, environment, { policy, ...chooseBackend(place, policy) });
}

type Environment = Readonly<Record<string, string | undefined>>;

export interface SettledPlan {
  readonly plan: PlacePlan;
  /** `instead`: of a backend that does not work here now, so that it has to be tried again next time. */
  readonly choice: 'first' | 'instead';
}

/** The same for boxes that will be started: what nobody has named is tried out. `names`: variables that it is to know beside those of `environment`. */
export async function settlePlan(place: Place, environment: Environment, names: readonly string[] = []): Promise<SettledPlan> {
  const policy = policyOfPlace(place);
  for (let troubles: Troubles = {}; ; ) {
    const chosen = chooseBackend(place, policy, { troubles });
    const trouble = chosen.named === 'nobody' ? await backendTrouble(chosen.backend, place.installation.launcher) : undefined;
    if (trouble === undefined) return { plan: planWith(place, environment, { policy, names, ...chosen }), choice: Object.keys(troubles).length === 0 ? 'first' : 'instead' };
    troubles = { ...troubles, [chosen.backend.name]: trouble };
  }
}

function planWith(place: Place, environment: Environment, { policy, backend: { name: backend }, named: namer, names = [] }: ChosenBackend & { readonly policy: Policy; readonly names?: readonly string[] }): PlacePlan {
  const wanted = [...wantedPaths(policy, place.workspace, place.installation.visible), ...resolverFiles];
  const facts = pathFacts(wanted);
  const git = readGitPrograms({ workTree: place.workspace.root, gitDirectories: place.workspace.gitDirectories, home: place.home, environment });
  const environmentRule = environmentRules(policy, [...new Set([...Object.keys(environment), ...names])]);
  const named = namedPrograms(policy);
  const only = named?.nested === 'judged' ? (named.only ?? []) : [];
  const programs = findPrograms([...new Set([...(named?.denied ?? []), ...only])], boxPath(environmentRule, environment));
  const hostFacts: HostFacts = {
    user: { uid: place.uid, home: place.home },
    workspace: place.workspace,
    paths: facts,
    gitPrograms: git.paths,
    programs: programs.facts,
    executables: programs.facts.filter(({ program }) => only.includes(program)).map(({ program, real }) => ({ program, real, needs: executionNeeds(real) })),
    memory: place.memory,
    cgroups: place.cgroups,
    overlay: place.overlay,
    ipv6: place.ipv6,
    installation: place.installation.visible,
    environment: {},
    withheld: hiddenSurfaceNames(),
  };
  const plan: Plan = compilePlan(policy, hostFacts, { argv: [''], sessionId: idPlaceholder, boxId: boxPlaceholder, session: describeSession(place, backend), always: namer === 'person' ? 'partial' : 'kernel' });
  const present = wanted.filter((path) => facts.get(path)?.kind === 'present');
  return {
    backend,
    present,
    facts: JSON.stringify(present.map((path) => facts.get(path))),
    gitConfig: git.stamp,
    programs: programs.stamp,
    commands: commandsAreOpen(policy) ? 'open' : 'judged',
    absent: absencesOf(wanted.filter((path) => facts.get(path)?.kind !== 'present')),
    ...templateTexts(plan),
    box: encodeBox(plan).toString('base64'),
    environment: environmentRule,
    expects: plan.expects ?? [],
    resident: residentOf(policy),
    digest: policyDigest(place),
    withheld: hiddenSurfaceNames(),
    trust: policy.layers.some((layer) => layer.uses().some(({ kind }) => kind === 'trust')) ? 'ruled' : 'asked',
    credentials: credentialsOf(policy).length === 0 ? 'none' : 'some',
    authority: plan.network.kind === 'names' ? plan.network.authority : 'none',
  };
}

/** Which of the requests that a program seems to have made the policy refuses; where they are known to have failed, those too that nobody has approved. */
export function refusedOf(policy: Policy, requests: readonly PolicyRequest[], refusing: readonly Decision[] = ['deny']): readonly Refusal[] {
  return requests.flatMap((request) => {
    const verdict = decide(policy, request);
    return refusing.includes(verdict.decision) ? [{ request, verdict: { ...verdict, message: verdict.message, remedy: verdict.remedy } }] : [];
  });
}
