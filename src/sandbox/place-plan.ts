import type { BackendName } from '../backends/index.ts';
import type { Guarantee, OpenNetwork, Plan } from '../plan/index.ts';
import { buildEnvironment, type EnvironmentRules } from '../policy/settings/build-environment.ts';
import type { GitConfigStamp } from './git-config/stamp.ts';
import type { ProgramStamp } from './host/program-facts.ts';
import type { Absence } from './host/absences.ts';
import type { SessionTrust } from './network/session-trust.ts';
import type { ShownFiles } from './trust/types.ts';
import { fillableTemplate, type Fillable } from './fillable-template.ts';
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
  /** JSON of a `Plan` in which marks stand for the session and its command. */
  readonly template: string;
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
  const { environment } = buildEnvironment(placePlan.environment, options.host, { ...options.trust.environment, ...plan.command.environment, ...options.credentials.environment, ...options.environment });
  const { mounts, approved } = options.shown;
  return { ...plan, mounts: [...plan.mounts, ...options.trust.files, ...visibleMounts(mounts, plan), ...options.credentials.files], protection: { ...plan.protection, approved }, command: { argv: options.argv, cwd: options.cwd, environment } };
}

const templates = new WeakMap<PlacePlan, Fillable<Plan>>();

function templateOf(placePlan: PlacePlan): Fillable<Plan> {
  const known = templates.get(placePlan) ?? fillableTemplate<Plan>(placePlan.template, [idPlaceholder, boxPlaceholder]);
  templates.set(placePlan, known);
  return known;
}

/** The `PATH` of a command that is started without one of its own. The launcher's own where the policy lets none pass. */
export function boxPath(rules: EnvironmentRules, host: Readonly<Record<string, string | undefined>>): string {
  return buildEnvironment(rules, host).environment['PATH'] ?? '/usr/bin:/bin';
}
