import type { ParseArgsOptionsConfig } from 'node:util';
import { backendNames, type BackendName } from '../backends/backend.ts';
import { HoldfastError } from '../errors/index.ts';
import type { Grants } from '../place/grants.ts';
import type { SessionOptions } from '../session/session-options.ts';
import { isSet, optionText, optionTexts, type CommandInput } from './command.ts';

/** Options of every command that opens a session. */
export const boxOptions: ParseArgsOptionsConfig = {
  workspace: { type: 'string' },
  read: { type: 'string', multiple: true },
  write: { type: 'string', multiple: true },
  host: { type: 'string', multiple: true },
  preset: { type: 'string', multiple: true },
  forward: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  socket: { type: 'string', multiple: true },
  profile: { type: 'string' },
  backend: { type: 'string' },
  strict: { type: 'boolean' },
};

/** `profile`: the grants of an agent's profile, if requested. */
export function sessionOptions(input: CommandInput, profile: Grants = {}): SessionOptions {
  const { values, io } = input;
  const workspace = optionText(values['workspace']);
  return {
    cwd: io.cwd,
    environment: io.environment,
    backend: backendName(optionText(values['backend']) ?? 'auto'),
    grants: {
      ...profile,
      read: optionTexts(values['read']),
      write: [...optionTexts(values['write']), ...(profile.write ?? [])],
      hosts: [...optionTexts(values['host']), ...(profile.hosts ?? [])],
      presets: optionTexts(values['preset']),
      forward: optionTexts(values['forward']),
      environment: [...optionTexts(values['env']), ...(profile.environment ?? [])],
      sockets: optionTexts(values['socket']),
    },
    ...(workspace === undefined ? {} : { workspace }),
    ...(isSet(values['strict']) ? { strict: true } : {}),
  };
}

function backendName(name: string): BackendName | 'auto' {
  const known = name === 'auto' ? 'auto' : backendNames.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  if (name === 'seatbelt')
    throw new HoldfastError(
      'HF_BACKEND_MISSING',
      'the seatbelt backend cannot run commands: Holdfast only generates its profile',
      {
        remedy: `use one of: auto, ${backendNames.join(', ')}; \`holdfast plan --backend seatbelt\` prints the profile`,
      },
    );
  if (name === 'windows')
    throw new HoldfastError(
      'HF_BACKEND_MISSING',
      'the windows backend cannot run commands: Holdfast only generates its plan',
      {
        remedy: `use one of: auto, ${backendNames.join(', ')}; \`holdfast plan --backend windows\` prints the plan`,
      },
    );
  throw new HoldfastError('HF_USAGE', `expected a backend, got ${JSON.stringify(name)}`, {
    remedy: `use one of: auto, ${backendNames.join(', ')}`,
  });
}
