import type { BackendName } from '../backends/index.ts';
import type { Guarantee, OpenNetwork, Plan } from '../plan/index.ts';
import { buildEnvironment, type EnvironmentRules } from '../policy/settings/build-environment.ts';
import type { GitConfigStamp } from './git-config/stamp.ts';
import type { ProgramStamp } from './host/program-facts.ts';
import type { Absence } from './host/absences.ts';
import type { SessionTrust } from './network/session-trust.ts';
import type { ShownFiles } from './trust/types.ts';
import { fillableTemplate, parseFrozen, type Fillable } from './fillable-template.ts';
import { visibleMounts } from './trust/visible-mounts.ts';

/**
 * The plan of a place as it can be remembered: planning is a pure function, so equal inputs give an equal plan. What
 * differs between commands is filled in.
 */
export interface PlacePlan {
  readonly backend: BackendName;
  /** The paths that the plan is made from, and their facts as JSON. */
  readonly present: readonly string[];
  readonly facts: string;
  /** The git configuration that the plan is made from, as it was. */
  readonly gitConfig: GitConfigStamp;
  /** Where the programs lay that the plan takes away. */
  readonly programs: ProgramStamp;
  /** `judged`: the policy says something about commands, so that each is looked at before it starts. */
  readonly commands: 'open' | 'judged';
  /** What would have been in the plan if it were there. */
  readonly absent: readonly Absence[];
  /** JSON of a `Plan` in which marks stand for the session and its command, without the names that it protects: see `templatePlan`. */
  readonly template: string;
  /** JSON of those names. They are most of a plan, and a box that was encoded before needs none of them. */
  readonly names: string;
  /** `encodeBox` of it, in base64. */
  readonly box: string;
  readonly environment: EnvironmentRules;
  /** `Plan.expects` of it. */
  readonly expects: readonly Guarantee[];
  /** Whether boxes of this plan have to believe an authority of the session. */
  readonly authority: OpenNetwork['authority'];
  /** Components of the names of files that boxes do not have before somebody has approved them. */
  readonly withheld: readonly (readonly string[])[];
  /** `ruled`: the policy says something about what may be approved; else a person alone does. */
  readonly trust: 'asked' | 'ruled';
  /** `some`: the policy has credentials, which are read for each session. */
  readonly credentials: 'none' | 'some';
  /** Whether a supervisor may stay for the runs after this one. */
  readonly resident: 'auto' | 'never';
  /** Of the policy, for the journal. */
  readonly digest: string;
}

/** Stands for the session's id in the environment and the session file. */
export const idPlaceholder = '@session@';
/** Stands for the box's id in control group names: a session may run several boxes at once. */
export const boxPlaceholder = '@box@';

export interface FillOptions {
  readonly id: string;
  /** Unique among the boxes of all sessions. */
  readonly boxId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The host's environment, which the rules filter. */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** Added after the filter. */
  readonly environment: Readonly<Record<string, string>>;
  readonly trust: SessionTrust;
  /** What stands for its credentials. */
  readonly credentials: SessionTrust;
  /** What of the withheld files was approved. */
  readonly shown: ShownFiles;
}

/** The plan of one command. */
export function fillPlan(placePlan: PlacePlan, options: FillOptions): Plan {
  const plan = templateOf(placePlan)({ [idPlaceholder]: options.id, [boxPlaceholder]: options.boxId });
  const protection = { ...plan.protection, approved: options.shown.approved };
  const { environment } = buildEnvironment(placePlan.environment, options.host, { ...options.trust.environment, ...plan.command.environment, ...options.credentials.environment, ...options.environment });
  const whole = withNames({ ...plan, protection }, placePlan);
  return { ...whole, mounts: [...plan.mounts, ...options.trust.files, ...visibleMounts(options.shown.mounts, whole), ...options.credentials.files], command: { argv: options.argv, cwd: options.cwd, environment } };
}

/** The plan as it was made, with its marks. */
export function templatePlan(placePlan: Pick<PlacePlan, 'template' | 'names'>): Plan {
  return withNames(JSON.parse(placePlan.template) as NamelessPlan, placePlan);
}

/** The two texts of `PlacePlan` that are its plan. */
export function templateTexts(plan: Plan): Pick<PlacePlan, 'template' | 'names'> {
  const { names, ...protection } = plan.protection;
  return { template: JSON.stringify({ ...plan, protection } satisfies NamelessPlan), names: JSON.stringify(names) };
}

type NamelessPlan = Omit<Plan, 'protection'> & { readonly protection: Omit<Plan['protection'], 'names'> };

/** They are read when somebody first asks for them. */
function withNames(plan: NamelessPlan, texts: Pick<PlacePlan, 'names'>): Plan {
  return { ...plan, protection: { ...plan.protection, get names() { return namesOf(texts); } } };
}

const names = new WeakMap<Pick<PlacePlan, 'names'>, Plan['protection']['names']>();

function namesOf(texts: Pick<PlacePlan, 'names'>): Plan['protection']['names'] {
  const known = names.get(texts) ?? (parseFrozen(texts.names) as Plan['protection']['names']);
  names.set(texts, known);
  return known;
}

const templates = new WeakMap<PlacePlan, Fillable<NamelessPlan>>();

function templateOf(placePlan: PlacePlan): Fillable<NamelessPlan> {
  const known = templates.get(placePlan) ?? fillableTemplate<NamelessPlan>(placePlan.template, [idPlaceholder, boxPlaceholder]);
  templates.set(placePlan, known);
  return known;
}

/** The `PATH` of a command that is started without one of its own. The launcher's own where the policy lets none pass. */
export function boxPath(rules: EnvironmentRules, host: Readonly<Record<string, string | undefined>>): string {
  return buildEnvironment(rules, host).environment['PATH'] ?? '/usr/bin:/bin';
}
