import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { agentNames, type AgentName, type HookReply } from '../agents/hooks/types.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Command, CommandInput } from './command.ts';
import { readInput, sayStatus, writeOutput } from './hook-streams.ts';
import { wantsResident } from './front/own-name.ts';

const usage = `usage: holdfast hook claude|codex|gemini|opencode [DESCRIPTOR]

What \`holdfast init\` puts into the settings of an agent. Reads one call of a hook on stdin, as JSON in that agent's own form, and answers it in
the same: a command is refused, or runs in the box; files and hosts are decided by the policy; results are filtered.
What cannot be answered is refused. Exit status 0, or 2 where that is how the agent is told of a refusal.

With DESCRIPTOR, the number of an open one, stdout and stderr are closed when everything is said, and the exit status is written to it as one
byte: whoever waits for the answer need not wait for the end of the process.`;

export const hookCommand: Command = {
  name: 'hook',
  summary: 'answer a hook of a coding agent',
  usage,
  options: {},
  positionals: 'any',
  run: answer,
};

/** A result with pictures is larger than any call. */
const most = 32 * 1024 * 1024;

async function answer(input: CommandInput): Promise<number> {
  const [name, descriptor] = wordsOf(input);
  const agent = agentOf({ ...input, positionals: [name] });
  const { stdout, stderr, status } = await reply(agent, input);
  const written = [writeOutput('stdout', stdout, input.io), writeOutput('stderr', stderr, input.io)];
  if (descriptor !== undefined && written.every((each) => each === 'written')) {
    // What is compiled is else kept at the end of the process, which may be killed before.
    flushCompileCache();
    if (wantsResident()) await startForHooks(input.io.environment);
    sayStatus(Number(descriptor), status);
  }
  return status;
}

/** Whoever waits for the answer ends this process with it, so a supervisor for the next ones is started before. */
async function startForHooks(environment: CommandInput['io']['environment']): Promise<void> {
  const { startForHook } = await import('./resident/start-resident.ts');
  startForHook(environment);
}

function wordsOf({ positionals }: CommandInput): readonly [name: string, descriptor: string | undefined] {
  const [name = '', descriptor, ...more] = positionals;
  if (more.length === 0 && (descriptor === undefined || /^[0-9]{1,4}$/u.test(descriptor))) return [name, descriptor];
  throw new HoldfastError('HF_USAGE', `expected an agent and the number of a descriptor, got ${JSON.stringify(positionals.join(' '))}`, { remedy: 'see `holdfast hook --help`' });
}

/** Any other exit status than 0 and 2 lets the tool run: nothing may be thrown. */
async function reply(agent: AgentName, input: CommandInput): Promise<HookReply> {
  const { answerHook, openHookHost, refuseCall } = await import('../agents/hooks/index.ts');
  try {
    const call = await readInput(most);
    if (call === undefined) return refuseCall(agent, `Holdfast refuses: the hook was called with more than ${most} bytes, or with what is no UTF-8`);
    return await answerHook(agent, call, openHookHost({ agent, environment: { ...input.io.environment, PWD: input.io.cwd }, program: [process.execPath, resolve(process.argv[1] ?? '')] }));
  } catch (error) {
    return refuseCall(agent, `Holdfast refuses: its hook failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function agentOf({ positionals }: CommandInput): AgentName {
  const [name, ...more] = positionals;
  const agent = agentNames.find((each) => each === name);
  if (agent !== undefined && more.length === 0) return agent;
  throw new HoldfastError('HF_USAGE', `expected an agent, got ${JSON.stringify(positionals.join(' '))}`, { remedy: `name one of: ${agentNames.join(', ')}` });
}
