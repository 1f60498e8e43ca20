import process from 'node:process';
import { HoldfastError } from '../errors/index.ts';
import { describePlan, type PlanNotes, supervised } from '../plan/describe.ts';
import { buildEnvironment } from '../policy/settings/build-environment.ts';
import { openSession, planBox, type Session } from '../session/session.ts';
import { plannedStaging } from '../staged/session/staging.ts';
import { boxOptions } from './box-options.ts';
import { askedGuest, type Command, type CommandInput, isSet, jsonText, safeText, optionText } from './command.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast plan [OPTIONS] [--json] [-- COMMAND [ARGUMENT...]]

Prints the box that COMMAND (default: true) would get: mounts, protected names, system calls, limits and environment.
It also lists gaps of the box, and rules that only the supervisor holds. --backend seatbelt prints the profile for a
Mac. --backend windows prints the steps of a launcher for Windows as JSON. Both are generated, not run.
Takes the options of \`holdfast run\`, including --staged. It starts and creates nothing: the layer is called \`new\`.`;

export const planCommand: Command = {
  name: 'plan',
  usage,
  options: { ...boxOptions, json: { type: 'boolean' }, staged: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    if (optionText(input.values['backend']) === 'seatbelt') return printProfile(input);
    if (optionText(input.values['backend']) === 'windows') return printWindows(input);
    const asked = askedGuest(input);
    if (asked !== undefined) return (await import('./delegate.ts')).printDelegation(input, asked);
    const argv = wordsOf(input);
    const session = await openSession({ ...profiledSession(input), whenStrict: 'starts-nothing' });
    const plan = planBox(session, { argv }, isSet(input.values['staged']) ? plannedStaging(session.place) : undefined);
    const notes = await planNotes(session);
    const shown = isSet(input.values['json'])
      ? jsonText({ ...plan, notes: { ...notes.environment, supervised: supervised(plan, notes) } })
      : safeText(describePlan(plan, process.arch === 'arm64' ? 'arm64' : 'x64', notes));
    input.io.stdout.write(shown);
    return 0;
  },
};

function wordsOf({ rest }: CommandInput): readonly string[] {
  return rest === undefined || rest.length === 0 ? ['true'] : rest;
}

/** Prints the profile of the plan for this machine's own backend. */
async function printProfile(input: CommandInput): Promise<number> {
  const { backend: _seatbelt, ...values } = input.values;
  if (isSet(values['json']) || isSet(values['staged']))
    throw new HoldfastError('HF_USAGE', 'a Seatbelt profile cannot be JSON or staged', {
      remedy: 'leave --json and --staged out',
    });
  const [session, { describeProfile }] = await Promise.all([
    openSession({ ...profiledSession({ ...input, values }), whenStrict: 'starts-nothing' }),
    import('../backends/seatbelt/profile.ts'),
  ]);
  input.io.stdout.write(safeText(describeProfile(planBox(session, { argv: wordsOf(input) }))));
  return 0;
}

/** Prints the profile for Windows. It is JSON with and without --json. */
async function printWindows(input: CommandInput): Promise<number> {
  const { backend: _windows, ...values } = input.values;
  if (isSet(values['staged']))
    throw new HoldfastError('HF_USAGE', 'a plan for Windows cannot be staged', { remedy: 'leave --staged out' });
  const [session, { describeWindows }] = await Promise.all([
    openSession({ ...profiledSession({ ...input, values }), whenStrict: 'starts-nothing' }),
    import('../backends/windows/index.ts'),
  ]);
  input.io.stdout.write(jsonText(describeWindows(planBox(session, { argv: wordsOf(input) }))));
  return 0;
}

/**
 * Returns the programs that a session keeps out of its boxes, and the rules that match only words. Reads the policy
 * only if it has rules about commands.
 */
async function planNotes({ place, plan, environment: host }: Session): Promise<PlanNotes> {
  const { dropped, untrustedPath, acknowledged } = buildEnvironment(plan.environment, host);
  const environment = { dropped, untrustedPath, acknowledged };
  if (plan.commands === 'open') return { environment, commands: [], others: 'any' };
  const { policyOfPlace } = await import('../place/planner.ts');
  const { layers } = policyOfPlace(place);
  return {
    environment,
    commands: layers.flatMap((layer) => layer.commands()),
    others: layers.some(({ limitsCommands }) => limitsCommands) ? 'listed' : 'any',
  };
}
