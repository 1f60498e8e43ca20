import { rmSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { isatty } from 'node:tty';
import { newKey, otpauthUri, readKey, totpPlaces, writeKey } from '../../approvals/totp/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../sandbox/host/state-paths.ts';
import { isSet, type CommandInput } from '../command.ts';
import { printResult } from '../print-result.ts';

/** `holdfast approvals totp enrol | remove`: the authenticator whose codes rules below `[approvals] totp` want. */
export async function totp(input: CommandInput, [verb, ...more]: readonly string[]): Promise<number> {
  if (more.length > 0 || (verb !== 'enrol' && verb !== 'remove')) throw new HoldfastError('HF_USAGE', 'expected "totp enrol" or "totp remove"', { remedy: 'see `holdfast approvals --help`' });
  const { key, spent } = totpPlaces(statePaths(homedir(), input.io.environment).state);
  return verb === 'enrol' ? enrol(input, key) : remove(input, [key, spent]);
}

/** The key is shown once, and nowhere else than here. */
async function enrol(input: CommandInput, file: string): Promise<number> {
  const { io, values } = input;
  if (readKey(file) !== undefined) throw new HoldfastError('HF_USAGE', 'an authenticator is enrolled already', { remedy: 'run `holdfast approvals totp remove` first, if it is to be another one' });
  const key = newKey(isSet(values['sha256']) ? 'SHA-256' : 'SHA-1');
  const uri = otpauthUri(key, `${userInfo().username}@${hostname()}`);
  if (isatty(1) && !isSet(values['json'])) {
    const { renderUnicodeCompact } = await import('uqr');
    io.stdout.write(`${renderUnicodeCompact(uri)}\n`);
  }
  printResult(input, { uri }, `${uri}\n`);
  writeKey(file, key);
  io.stderr.write('holdfast: give this to your authenticator app, and to nobody else: it is not shown again\n');
  return 0;
}

function remove(input: CommandInput, places: readonly string[]): number {
  for (const place of places) rmSync(place, { recursive: true, force: true });
  printResult(input, { removed: 'totp' }, 'removed; rules that want a code can only be answered by a denial now\n');
  return 0;
}
