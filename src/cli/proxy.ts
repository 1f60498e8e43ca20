import process from 'node:process';
import { openSession } from '../session/session.ts';
import { boxOptions } from './box-options.ts';
import { boxOptionsUsage } from './run-usage.ts';
import { type Command, type CommandInput, portOf, printResult } from './command.ts';
import { keepGarbageSmall } from './small-garbage.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast proxy [OPTIONS]

Serves the network of the policy as a proxy on a loopback port, for programs that cannot run in a box. It speaks HTTP,
CONNECT and SOCKS5 with names. It prints the variables for such programs, one \`export\` per line, with a secret of this
session. It runs until you interrupt it, and its connections end with it.

    holdfast proxy --preset npm > proxy.env &
    . ./proxy.env; npm view left-pad

  --port N            use this port (default: a free one)
  --json              print the variables as one JSON object
${boxOptionsUsage}`;

export const proxyCommand: Command = {
  name: 'proxy',
  usage,
  options: { ...boxOptions, port: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'none',
  run: serve,
};

async function serve(input: CommandInput): Promise<number> {
  const { values } = input;
  const session = await openSession({ ...profiledSession(input), whenStrict: 'starts-nothing', boxes: 'none' });
  const egress = await session.network.egress();
  const proxy = await egress.proxy(portOf(values['port']));
  keepGarbageSmall();
  printResult(
    input,
    proxy.environment,
    Object.entries(proxy.environment)
      .map(([name, value]) => `export ${name}='${value}'\n`)
      .join(''),
  );
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  await proxy.close();
  session.approvals.close();
  return 0;
}
