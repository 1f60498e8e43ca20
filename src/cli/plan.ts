import process from 'node:process';
import { supervised } from '../plan/describe-notes.ts';
import { describePlan } from '../plan/describe.ts';
import { openSession, planCommand as planBox } from '../sandbox/session.ts';
import { plannedStaging } from '../sandbox/staged/planned-staging.ts';
import { isSet, type Command } from './command.ts';
import { planNotes } from './plan-notes.ts';
import { boxOptions, sessionOptions } from './box-options.ts';
import { jsonText } from './json-text.ts';
import { safeText } from './safe-text.ts';

const usage = `usage: holdfast plan [OPTIONS] [--json] [-- COMMAND [ARGUMENT...]]

Prints the box that COMMAND (default: true) would get: mounts, protected names, system calls, limits, environment,
and what stays outside or is held by the supervisor alone.
Takes the options of \`holdfast run\`, also --staged. Starts nothing and makes nothing: of a staged box, \`new\` stands for the name of its layer.`;

export const planCommand: Command = {
  name: 'plan',
  summary: 'print the box that a command would get',
  usage,
  options: { ...boxOptions, json: { type: 'boolean' }, staged: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    const argv = input.rest === undefined || input.rest.length === 0 ? ['true'] : input.rest;
    const session = await openSession(sessionOptions(input));
    const plan = planBox(session, { argv }, isSet(input.values['staged']) ? plannedStaging(session.place) : undefined);
    const notes = await planNotes(session);
    const text = isSet(input.values['json']) ? jsonText({ ...plan, notes: { ...notes.environment, supervised: supervised(plan, notes) } }) : safeText(describePlan(plan, process.arch === 'arm64' ? 'arm64' : 'x64', notes));
    input.io.stdout.write(text);
    return 0;
  },
};
