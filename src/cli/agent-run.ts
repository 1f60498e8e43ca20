import { homedir } from 'node:os';
import type { BoxAccess } from '../agents/profiles/agent-links.ts';
import { findAgentProgram } from '../agents/profiles/agent-program.ts';
import { isProfileName, profileNames, profiles } from '../agents/profiles/profiles.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Grants } from '../place/grants.ts';
import { type Place, readPlace } from '../place/place.ts';
import type * as Planner from '../place/planner.ts';
import { privatePlaces } from '../policy/builtin/defaults.ts';
import { groupsOf } from '../policy/credentials/credentials-of.ts';
import { nearest } from '../policy/document/suggest.ts';
import type { Policy } from '../policy/policy.ts';
import type { FileRequest } from '../policy/request.ts';
import { sessionOptions } from './box-options.ts';
import { profileOf } from './profile-options.ts';
import { askedGuest, type CommandInput, optionText, optionTexts, safeText } from './command.ts';

/** A run, and the grants of its agent's profile. */
export interface AgentRun {
  readonly input: CommandInput;
  readonly profile: Grants;
}

/**
 * Turns a run with a profile into a run of a command: `run claude -p hi` becomes `run --profile claude -- claude -p
 * hi`. Grants the agent's package if the box does not show its program. Reports the agent's grants in one line.
 */
export async function agentRun(given: CommandInput): Promise<AgentRun> {
  const input = given.positionals.length > 0 ? namedRun(given) : given;
  if (askedGuest(input) !== undefined) return { input, profile: {} };
  const { grants: profile, notices } = profileOf(input);
  const [program] = input.rest ?? [];
  const name = optionText(input.values['profile']) ?? '';
  // An empty run is refused elsewhere.
  if (!isProfileName(name) || program === undefined) return { input, profile };
  const place = readPlace(sessionOptions(input, profile));
  const planner = await import('../place/planner.ts');
  const policy = planner.policyOfPlace(place);
  const run = program === name ? withProgram(input, name, accessOf(place, policy, planner)) : input;
  tell(name, { place, policy, notices, input: run });
  return { input: run, profile };
}

function namedRun(input: CommandInput): CommandInput {
  const { positionals, values } = input;
  const [name = ''] = positionals;
  if (!isProfileName(name))
    throw new HoldfastError('HF_USAGE', `there is no agent ${JSON.stringify(name)}, and a name alone runs an agent`, {
      remedy: `${agentsNear(name)} To run a program, type \`holdfast run -- ${positionals.join(' ')}\``,
    });
  const profile = optionText(values['profile']) ?? name;
  if (profile !== name)
    throw new HoldfastError(
      'HF_USAGE',
      `${name} already selects its own profile, so --profile ${profile} does not apply`,
      {
        remedy: `leave --profile out, or run it as a command: holdfast run --profile ${profile} -- ${name}`,
      },
    );
  return { ...input, values: { ...values, profile }, positionals: [], rest: positionals };
}

function agentsNear(name: string): string {
  const meant = nearest(name, profileNames);
  return meant === undefined ? `use one of ${profileNames.join(', ')}.` : `did you mean \`holdfast run ${meant}\`?`;
}

function withProgram(input: CommandInput, name: string, access: (path: string) => BoxAccess): CommandInput {
  const { values, rest = [], io } = input;
  const program = findAgentProgram(name, { home: homedir(), path: io.environment['PATH'] ?? '', access });
  const [root, ...more] = program.read;
  if (root === undefined) return { ...input, rest: [program.command, ...rest.slice(1)] };
  const others = more.length === 0 ? '' : `, and ${more.length} more that it depends on`;
  say(input, `${name}: the box shows ${root} read-only${others}`);
  return {
    ...input,
    values: { ...values, read: [...optionTexts(values['read']), ...program.read] },
    rest: [program.command, ...rest.slice(1)],
  };
}

function say({ io }: CommandInput, line: string): void {
  io.stderr.write(`${safeText(`holdfast: ${line}`)}\n`);
}

/**
 * Returns the access of a box with this policy to a path. The box's temporary directories are its own, not the host's.
 */
function accessOf(place: Place, policy: Policy, { refusedOf }: typeof Planner): (path: string) => BoxAccess {
  const writable = [place.workspace.root, ...(place.grants.write ?? [])];
  const shown = [...writable, ...(place.grants.read ?? [])];
  const refusal = (path: string, operation: FileRequest['operation']) =>
    refusedOf(policy, [{ kind: 'file', operation, path }], ['deny', 'ask'])[0]?.verdict.code;
  return (path) => {
    const isPrivate =
      isBelow(
        path,
        privatePlaces.map(({ pattern }) => pattern),
      ) && !isBelow(path, shown);
    if (isPrivate) return 'hidden';
    const code = refusal(path, 'read');
    if (code !== undefined) return code === 'not-granted' ? 'hidden' : 'refused';
    return refusal(path, 'write') === undefined ? 'writable' : 'shown';
  };
}

function isBelow(path: string, directories: readonly string[]): boolean {
  return directories.some((directory) => path === directory || path.startsWith(`${directory}/`));
}

interface Told {
  readonly place: Place;
  readonly policy: Policy;
  readonly notices: readonly string[];
  readonly input: CommandInput;
}

/** One line. It does not mention hooks, because the box holds the whole agent. */
function tell(name: (typeof profileNames)[number], { place, policy, notices, input }: Told): void {
  const delivered = groupsOf(policy).flatMap(({ variables }) => variables.map((variable) => variable.name));
  const keys = profiles[name].credentials.map(({ variable }) => variable).filter((each) => delivered.includes(each));
  const parts = [
    `profile ${name}`,
    keys.length === 0 ? 'no key' : `key ${keys.join(' and ')} as a phantom`,
    `hosts ${(place.grants.hosts ?? []).map((host) => host.replace(/:443$/u, '')).join(' ')}`,
    `own files in ${place.grants.write?.at(-1)?.replace(`${place.home}/`, '~/') ?? ''}`,
  ];
  say(input, `${name}: ${parts.join(', ')}`);
  if (keys.length === 0) for (const notice of notices) say(input, notice);
}
