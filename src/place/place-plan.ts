import type { BackendName } from '../backends/backend.ts';
import type { Mount } from '../plan/mount.ts';
import type { Guarantee, OpenNetwork, Plan } from '../plan/types.ts';
import { buildEnvironment, type EnvironmentRules } from '../policy/settings/build-environment.ts';
import type { GitConfigStamp } from './git-config/stamp.ts';
import type { Absence } from './host/absences.ts';
import type { ProgramStamp } from './host/program-facts.ts';
import type { SessionTrust } from './session-trust.ts';
import type { ConfigurationCopies, ShownFiles } from './shown-files.ts';
import { endsName, matchesName } from './withheld-place.ts';

/**
 * The plan of a place in a form that can be remembered. Planning is a pure function, so equal inputs give an equal
 * plan. The differences between commands are filled in later.
 */
export interface PlacePlan {
  readonly backend: BackendName;
  /** The paths that the plan depends on, and the facts about them as JSON. */
  readonly present: readonly string[];
  readonly facts: string;
  /** The state of the git configuration that the plan depends on. */
  readonly gitConfig: GitConfigStamp;
  /** Files of configuration that boxes get without their secrets, as they were. */
  readonly configuration: ConfigurationCopies;
  /** Sources of the facts about programs that the plan removes. */
  readonly programs: ProgramStamp;
  /** `judged`: the policy has rules about commands, so each is judged before it starts. */
  readonly commands: 'open' | 'judged';
  /** Missing paths that would be in the plan if they existed. */
  readonly absent: readonly Absence[];
  /**
   * JSON of a `Plan` without its protected names, and with placeholders for the session and its command: see
   * `templatePlan`.
   */
  readonly template: string;
  /** JSON of the protected names. They are most of a plan, and a box that is already encoded does not need them. */
  readonly names: string;
  /** `encodeBox` of the plan, in base64. */
  readonly box: string;
  readonly environment: EnvironmentRules;
  /** `Plan.expects` of the plan. */
  readonly expects: readonly Guarantee[];
  /** Whether boxes of this plan must trust the session's certificate authority. */
  readonly authority: OpenNetwork['authority'];
  /** Components of the names of files that boxes get only after an approval. */
  readonly withheld: readonly (readonly string[])[];
  /** `ruled`: the policy has rules about approvals. Otherwise only a person decides. */
  readonly trust: 'asked' | 'ruled';
  /** `some`: the policy has credentials, which each session reads. */
  readonly credentials: 'none' | 'some';
  /** `strict`: writes are staged, output is filtered, and no command gets the terminal. */
  readonly manner: 'usual' | 'strict';
  /** Whether a supervisor may stay for later runs. */
  readonly resident: 'auto' | 'never';
  /** SHA-256 sums for the journal, as fields of `session.start`. */
  readonly digests: { readonly policy: string; readonly managed?: string };
}

/** Placeholder for the session's ID in the environment and the session file. */
export const idPlaceholder = '@session@';
/** Placeholder for the box's ID in the names of control groups: a session may run several boxes at once. */
export const boxPlaceholder = '@box@';

export interface FillOptions {
  readonly id: string;
  /** Unique among the boxes of all sessions. */
  readonly boxId: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** The host's environment, before the rules filter it. */
  readonly host: Readonly<Record<string, string | undefined>>;
  /** Variables added after the filter. */
  readonly environment: Readonly<Record<string, string>>;
  readonly trust: SessionTrust;
  /** The certificate authority that the box trusts, as variables and files. */
  readonly credentials: SessionTrust;
  /** The approved ones among the withheld files. */
  readonly shown: ShownFiles;
  readonly copies: ConfigurationCopies['copies'];
}

/** Returns the plan of one command. */
export function fillPlan(placePlan: PlacePlan, options: FillOptions): Plan {
  const plan = templateOf(placePlan)({ [idPlaceholder]: options.id, [boxPlaceholder]: options.boxId });
  const protection = { ...plan.protection, approved: options.shown.approved };
  const { environment } = buildEnvironment(placePlan.environment, options.host, {
    ...options.trust.environment,
    ...plan.command.environment,
    ...options.credentials.environment,
    ...options.environment,
  });
  const whole = withNames({ ...plan, protection }, placePlan);
  return {
    ...whole,
    mounts: [
      ...plan.mounts,
      ...options.trust.files,
      ...visibleMounts(options.shown.mounts, whole),
      ...options.copies.map(({ mount }) => mount),
      ...options.credentials.files,
    ],
    command: { argv: options.argv, cwd: options.cwd, environment },
  };
}

/** Returns the plan as it was made, with its placeholders. */
export function templatePlan(placePlan: Pick<PlacePlan, 'template' | 'names'>): Plan {
  return withNames(JSON.parse(placePlan.template) as NamelessPlan, placePlan);
}

/** Returns the two texts of `PlacePlan` that contain its plan. */
export function templateTexts(plan: Plan): Pick<PlacePlan, 'template' | 'names'> {
  const { names, ...protection } = plan.protection;
  return { template: JSON.stringify({ ...plan, protection } satisfies NamelessPlan), names: JSON.stringify(names) };
}

type NamelessPlan = Omit<Plan, 'protection'> & { readonly protection: Omit<Plan['protection'], 'names'> };

/** The names are parsed on first use. */
function withNames(plan: NamelessPlan, texts: Pick<PlacePlan, 'names'>): Plan {
  return {
    ...plan,
    protection: {
      ...plan.protection,
      get names() {
        return namesOf(texts);
      },
    },
  };
}

const names = new WeakMap<Pick<PlacePlan, 'names'>, Plan['protection']['names']>();

function namesOf(texts: Pick<PlacePlan, 'names'>): Plan['protection']['names'] {
  const known = names.get(texts) ?? (parseFrozen(texts.names) as Plan['protection']['names']);
  names.set(texts, known);
  return known;
}

const templates = new WeakMap<PlacePlan, Fillable<NamelessPlan>>();

function templateOf(placePlan: PlacePlan): Fillable<NamelessPlan> {
  const known =
    templates.get(placePlan) ?? fillableTemplate<NamelessPlan>(placePlan.template, [idPlaceholder, boxPlaceholder]);
  templates.set(placePlan, known);
  return known;
}

/**
 * Returns the `PATH` of a command that is started without its own. If the policy passes none, this is the launcher's.
 */
export function boxPath(rules: EnvironmentRules, host: Readonly<Record<string, string | undefined>>): string {
  return buildEnvironment(rules, host).environment['PATH'] ?? '/usr/bin:/bin';
}

/**
 * Returns the approved files that the box shows anyway, because an approval widens nothing. Attack: a hook that names a
 * denied script, or `. ./.env`, so that its copy would cover the mask. Leaves out files that are hidden by name, and
 * files outside of the host's directories.
 */
export function visibleMounts(shown: readonly Mount[], plan: Pick<Plan, 'mounts' | 'protection'>): readonly Mount[] {
  const directories = shown
    .filter(({ kind, target }) => kind === 'tmpfs' && isShown(target, plan))
    .map(({ target }) => target);
  const isBelow = (target: string): boolean => directories.some((directory) => target.startsWith(`${directory}/`));
  return shown.filter(({ kind, target }) =>
    kind === 'tmpfs'
      ? directories.includes(target)
      : !isHidden(target, plan) && (isBelow(target) || isShown(target, plan)),
  );
}

/** The deepest mount at the path decides. If several have the same target, the last one does. */
function isShown(target: string, { mounts }: Pick<Plan, 'mounts'>): boolean {
  const covers = mounts.filter(
    (mount) =>
      mount.kind !== 'directory' &&
      mount.kind !== 'symlink' &&
      (target === mount.target || target.startsWith(`${mount.target}/`)),
  );
  const cover = covers.reduce<Mount | undefined>(
    (deepest, mount) => (deepest === undefined || mount.target.length >= deepest.target.length ? mount : deepest),
    undefined,
  );
  return cover?.kind === 'bind' || cover?.kind === 'overlay';
}

function isHidden(target: string, { protection: { names, released } }: Pick<Plan, 'protection'>): boolean {
  const components = target.slice(1).split('/');
  const hidden = names.filter(({ effect }) => effect === 'hidden');
  return components.some(
    (component, end) =>
      !released.includes(`/${components.slice(0, end + 1).join('/')}`) &&
      hidden.some(
        (name) =>
          endsName(name.components, components, end) && !name.except.some((except) => matchesName(except, component)),
      ),
  );
}

/**
 * Returns the value with a text in place of each placeholder. Parts without a placeholder are the same objects each
 * time.
 */
type Fillable<Value> = (texts: Readonly<Record<string, string>>) => Value;

/**
 * Reads JSON with placeholders in strings, to be filled any number of times. No filling affects another. Fills the
 * first value while parsing, because most processes need no second. The shared parts are frozen.
 */
export function fillableTemplate<Value>(json: string, marks: readonly string[]): Fillable<Value> {
  let fill: Fillable<Value> = (texts) => {
    fill = (later) => (fill = sharedFiller<Value>(json, marks))(later);
    return JSON.parse(
      marks.reduce((text, mark) => text.replaceAll(mark, () => JSON.stringify(texts[mark] ?? mark).slice(1, -1)), json),
    ) as Value;
  };
  return (texts) => fill(texts);
}

function sharedFiller<Value>(json: string, marks: readonly string[]): Fillable<Value> {
  const value = parseFrozen(json) as Value;
  return (filler(value, marks) as Fillable<Value> | undefined) ?? (() => value);
}

/** JSON whose value is frozen. */
function parseFrozen(json: string): unknown {
  return JSON.parse(json, (_key, part: unknown) => (typeof part === 'object' ? Object.freeze(part) : part));
}

/** Undefined if there is nothing to fill. */
function filler(value: unknown, marks: readonly string[]): Fillable<unknown> | undefined {
  if (typeof value === 'string')
    return marks.some((mark) => value.includes(mark))
      ? (texts) => marks.reduce((text, mark) => text.replaceAll(mark, () => texts[mark] ?? mark), value)
      : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const holes = Object.entries(value).flatMap(([key, part]) => {
    const fill = filler(part, marks);
    return fill === undefined ? [] : [[key, fill] as const];
  });
  if (holes.length === 0) return undefined;
  return (texts) =>
    Object.freeze(
      Object.assign(
        Array.isArray(value) ? [...value] : { ...value },
        Object.fromEntries(holes.map(([key, fill]) => [key, fill(texts)])),
      ),
    );
}
