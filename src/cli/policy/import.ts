import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Imported, ImportSource } from '../../agents/import/import-policy.ts';
import { HoldfastError } from '../../errors/index.ts';
import { readText } from '../../sandbox/policy-texts.ts';
import { type CommandInput, isSet, text } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { safeText } from '../safe-text.ts';
import { placeOf } from './sources.ts';

/** `holdfast policy import TOOL FILE`: the policy on standard output or in a new file, the report on standard error. */
export async function importPolicies(input: CommandInput, source: string | undefined, file: string | undefined): Promise<number> {
  const { importPolicy, importSources } = await import('../../agents/import/import-policy.ts');
  const known = importSources.find((each) => each === source);
  if (known === undefined || file === undefined) throw new HoldfastError('HF_USAGE', `expected one of ${importSources.join(', ')} and a file`, { remedy: 'write `holdfast policy import claude .claude/settings.json`' });
  const imported = importPolicy(textOf(resolve(input.io.cwd, file)), { source: known, places: { home: homedir(), workspace: placeOf(input).workspace.root } });
  tell(imported, known, input);
  return 0;
}

function textOf(path: string): string {
  const source = readText('user', path);
  if (source !== undefined) return source.text;
  throw new HoldfastError('HF_POLICY_UNREADABLE', `there is no file ${path}`, { remedy: 'name an existing file' });
}

function tell({ policy, notCarried }: Imported, source: ImportSource, { values, io }: CommandInput): void {
  const output = text(values['output']);
  if (output !== undefined) writeNew(resolve(io.cwd, output), policy);
  if (isSet(values['json'])) {
    io.stdout.write(jsonText({ source, policy, notCarried }));
    return;
  }
  if (output === undefined) io.stdout.write(policy);
  for (const { at, why, effect } of notCarried) io.stderr.write(safeText(`${effect === 'none' ? 'not carried' : effect}: ${at}: ${why}\n`));
}

/** Exclusive: no policy is overwritten, and no symlink followed. */
function writeNew(path: string, policy: string): void {
  try {
    writeFileSync(path, policy, { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new HoldfastError('HF_USAGE', code === 'EEXIST' ? `${path} is there already` : `${path} cannot be written: ${code ?? String(cause)}`, { remedy: 'name a file that is not there yet, in a directory that you can write', cause });
  }
}
