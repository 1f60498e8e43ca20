import process from 'node:process';
import { describePlan } from '../plan/describe.ts';
import { openSession, planCommand as planBox } from '../sandbox/session.ts';
import { plannedStaging } from '../sandbox/staged/planned-staging.ts';
import { isSet, type Command } from './command.ts';
import { boxOptions, sessionOptions } from './box-options.ts';

const usage = `usage: holdfast plan [OPTIONS] [--json] [-- COMMAND [ARGUMENT...]]

Prints the box that COMMAND (default: true) would get: mounts, protected names, system calls, limits, environment.
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
    const text = isSet(input.values['json']) ? `${JSON.stringify(plan, undefined, 2)}\n` : describePlan(plan, process.arch === 'arm64' ? 'arm64' : 'x64');
    input.io.stdout.write(text);
    return 0;
  },
};
