/**
 * The program `$CODE` of attacks on `sandbox.code`: `main.ts INSTALLATION [--backend NAME] --workspace DIR perform
 * ROWS`. It runs the texts of each row in one context. It prints the value of the last text, or a shell's output, and
 * the new files.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import type { CodeLanguage, Sandbox } from '../../../src/sandbox/index.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { backend: { type: 'string' }, workspace: { type: 'string' } },
});
const [installation = '', , file = ''] = positionals;

const library = (await import(join(installation, 'dist/index.js'))) as { readonly Sandbox: typeof Sandbox };
await using sandbox = await library.Sandbox.create({
  workspace: values.workspace ?? process.cwd(),
  backend: (values.backend ?? 'auto') as 'auto',
});

for (const line of readFileSync(file, 'utf8').trimEnd().split('\n')) await perform(line);

async function perform(line: string): Promise<void> {
  const [row = '', language = '', ...texts] = line.split('\t');
  appendFileSync('tried', `${row}\n`);
  await using context = await sandbox.code.createContext({ language: language as CodeLanguage });
  for (const [index, text] of texts.entries()) {
    const source = text
      .replaceAll('$OUTSIDE', join(process.env['ARENA'] ?? '', 'outside'))
      .replaceAll('$CANARY', process.env['CANARY'] ?? '')
      .replaceAll('\\n', '\n');
    const { results, stdout, artifacts, error } = await context.run(source, {
      timeoutMs: 20_000,
      artifacts: ['*.csv'],
    });
    if (error !== undefined) console.error(`${row}: ${error.traceback}`);
    if (index < texts.length - 1) continue;
    const value = results.at(-1);
    console.log(
      language === 'shell' ? stdout.toString() : typeof value?.json === 'string' ? value.json : (value?.text ?? ''),
    );
    for (const { data } of artifacts) console.log(data.toString());
  }
}
