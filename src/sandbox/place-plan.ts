import type { BackendName } from '../backends/index.ts';
import type { OpenNetwork, Plan } from '../plan/index.ts';
import type { GitConfigStamp } from './git-config/stamp.ts';
import type { Absence } from './host/absences.ts';
import type { SessionTrust } from './network/session-trust.ts';

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
  /** What would have been in the plan if it were there. */
  readonly absent: readonly Absence[];
  /** JSON of a `Plan` with placeholders for the session and its command. */
  readonly template: string;
  /** `encodeBox` of it, in base64. */
  readonly box: string;
  readonly environment: EnvironmentRules;
  /** Whether boxes of this plan have to believe an authority of the session. */
  readonly authority: OpenNetwork['authority'];
  /** Of the policy, for the journal. */
  readonly digest: string;
}

export interface EnvironmentRules {
  /** Every name that the policy was asked about, sorted; another one needs a new plan. */
  readonly known: readonly string[];
  readonly dropped: readonly string[];
  /** What the policy itself sets. */
  readonly set: Readonly<Record<string, string>>;
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
}

/** The plan of one command. */
export function fillPlan(placePlan: PlacePlan, options: FillOptions): Plan {
  const plan = JSON.parse(placePlan.template.replaceAll(idPlaceholder, options.id).replaceAll(boxPlaceholder, options.boxId)) as Plan;
  const environment = { ...passed(placePlan.environment, options.host), ...placePlan.environment.set, ...options.trust.environment, ...plan.command.environment, ...options.environment };
  return { ...plan, mounts: [...plan.mounts, ...options.trust.files], command: { argv: options.argv, cwd: options.cwd, environment } };
}

function passed(rules: EnvironmentRules, host: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const dropped = new Set(rules.dropped);
  return Object.fromEntries(Object.entries(host).flatMap(([name, value]): [string, string][] => (value === undefined || dropped.has(name) ? [] : [[name, value]])));
}
