/**
 * What `$FILES` is in attacks on `sandbox.files`: `main.ts INSTALLATION [--backend NAME] --workspace DIR [--read PATH] … perform ROWS`,
 * or `race PLACE TRIES`. It holds a sandbox and does what it is told through its `files`; it checks nothing, as its users need not.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Sandbox } from '../../src/sandbox/index.ts';
import type { AttackOperation } from './operate.ts';
import { performRows } from './rows.ts';
import { race } from './race.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string' }, workspace: { type: 'string' }, read: { type: 'string', multiple: true }, write: { type: 'string', multiple: true }, staged: { type: 'boolean' } },
});
const [installation = '', verb, subject = '', number = '0'] = positionals;

const library = (await import(join(installation, 'dist/index.js'))) as { readonly Sandbox: typeof Sandbox };
await using sandbox = await library.Sandbox.create({
  ...(values.workspace === undefined ? {} : { workspace: values.workspace }),
  ...(values.staged === true ? { staged: 'new' } : {}),
  backend: (values.backend ?? 'auto') as 'auto',
  grants: { read: values.read ?? [], write: values.write ?? [] },
});
const { files } = sandbox;

if (verb === 'perform') await performRows(subject, { arena: process.env['ARENA'] ?? '', canary: process.env['CANARY'] ?? '', files });
else await runRace();

async function runRace(): Promise<void> {
  const cycle = (JSON.parse(readFileSync(join(subject, 'race.json'), 'utf8')) as readonly AttackOperation[]).map((operation) => below(subject, operation));
  const tallies = await race({ files, cycle, tries: Number(number) });
  for (const [op, { tries, done, refused }] of tallies) console.log(`${op}: ${tries} tries, ${done} done, ${JSON.stringify(refused)}`);
}

function below(place: string, { path, from, to, ...rest }: AttackOperation): AttackOperation {
  const at = (name: string | undefined, key: string) => (name === undefined ? {} : { [key]: join(place, name) });
  return { ...rest, ...at(path, 'path'), ...at(from, 'from'), ...at(to, 'to') };
}
