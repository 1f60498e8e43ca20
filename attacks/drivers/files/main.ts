/**
 * The program `$FILES` of attacks on `sandbox.files`: `main.ts INSTALLATION [--backend NAME] --workspace DIR [--read
 * PATH] … perform ROWS`, or `race ROWS TRIES`. It holds a sandbox and performs each operation through its `files`. It
 * checks nothing, because users of `files` need not.
 */
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { Sandbox } from '../../../src/sandbox/index.ts';
import { performRows } from './rows.ts';
import { raceRows } from './race.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    backend: { type: 'string' },
    workspace: { type: 'string' },
    read: { type: 'string', multiple: true },
    write: { type: 'string', multiple: true },
    staged: { type: 'boolean' },
  },
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

const scene = { arena: process.env['ARENA'] ?? '', canary: process.env['CANARY'] ?? '', files };
if (verb === 'perform') await performRows(subject, scene);
else
  await raceRows(subject, {
    ...scene,
    tools: process.env['TOOLS'] ?? '',
    tries: Number(number),
    each: (row, tally) => console.log(`${row}: ${JSON.stringify(tally)}`),
  });
