import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { shellQuote } from '../agents/hooks/quote.ts';
import { handOverName, handOverText } from '../credentials/session/hand-over.ts';
import { HoldfastError } from '../errors/index.ts';
import { trustBundlePath } from '../place/session-trust.ts';
import { openSession, type Session } from '../session/session.ts';
import { boxOptions } from './box-options.ts';
import { boxOptionsUsage } from './run-usage.ts';
import { type Command, type CommandInput, type CommandIo, optionText, portOf, printResult } from './command.ts';
import { keepGarbageSmall } from './small-garbage.ts';
import { profiledSession } from './profile-options.ts';

const usage = `usage: holdfast proxy [OPTIONS]

Serves the network of the policy as a proxy on a loopback port, for programs that cannot run in a box. It speaks HTTP,
CONNECT and SOCKS5 with names. It prints the variables for such programs, one \`export\` per line, with a secret of this
session. It runs until you interrupt it, and its connections end with it.

    holdfast proxy --preset npm > proxy.env &
    . ./proxy.env; npm view left-pad

  --port N            use this port (default: a free one)
  --trust DIR         also give programs the phantoms of the policy's credentials, and the session's certificate
                      authority: its files are written into DIR, which must not exist; boxes of
                      \`holdfast run --phantoms DIR/phantoms.json\` get the files of phantoms too
  --json              print the variables as one JSON object
${boxOptionsUsage}`;

export const proxyCommand: Command = {
  name: 'proxy',
  usage,
  options: { ...boxOptions, port: { type: 'string' }, trust: { type: 'string' }, json: { type: 'boolean' } },
  positionals: 'none',
  run: serve,
};

async function serve(input: CommandInput): Promise<number> {
  const { values } = input;
  const session = await openSession({ ...profiledSession(input), whenStrict: 'starts-nothing', boxes: 'none' });
  const egress = await session.network.egress();
  const trust = optionText(values['trust']);
  const proxy = await egress.proxy(portOf(values['port']));
  const trusted = trust === undefined ? {} : await handOver(session, resolve(input.io.cwd, trust), input.io);
  keepGarbageSmall();
  const environment = { ...trusted, ...proxy.environment };
  printResult(
    input,
    environment,
    Object.entries(environment)
      .map(([name, value]) => `export ${name}=${shellQuote(value)}\n`)
      .join(''),
  );
  await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  await proxy.close();
  session.approvals.close();
  return 0;
}

const trustDirectory = dirname(trustBundlePath);

/** Writes the files that programs trust, and returns the variables that name them and hold the phantoms. */
async function handOver(
  { network, credentials }: Session,
  directory: string,
  io: CommandIo,
): Promise<Readonly<Record<string, string>>> {
  const trust = await network.trust();
  const moved = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, value.replaceAll(`${trustDirectory}/`, `${directory}/`)]),
    );
  const { environment = {}, files = [] } = credentials?.delivered ?? {};
  try {
    // Attack: another user of a shared group replaces the certificate authority.
    mkdirSync(directory, { mode: 0o755 });
    const write = (name: string, content: string | Buffer): void =>
      writeFileSync(join(directory, name), content, { flag: 'wx', mode: 0o644 });
    for (const { target, content, encoding } of trust.files)
      if (dirname(target) === trustDirectory) write(basename(target), Buffer.from(content, encoding ?? 'utf8'));
    write(handOverName, handOverText({ environment: moved(environment), files }));
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new HoldfastError('HF_USAGE', `the files of --trust cannot be written into ${directory}: ${code}`, {
      remedy: 'name a directory that does not exist, in one that you can write',
      cause,
    });
  }
  for (const notice of credentials?.notices ?? []) io.stderr.write(`holdfast: ${notice}\n`);
  for (const { target } of files)
    io.stderr.write(`holdfast: ${target} is for boxes of --phantoms: other programs do not get it\n`);
  return moved({ ...trust.environment, ...environment });
}
