/**
 * No PowerShell runs here: a stand-in implements its side of the protocol. The answers of a real one must be checked on
 * a machine that has one.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, onTestFinished, test } from 'vitest';
import { powershellProgram } from '../powershell/script-of.ts';
import { askPowerShell, findPowerShell } from './ask-powershell.ts';

function directory(): string {
  const root = mkdtempSync('/var/tmp/holdfast-powershell-');
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** A stand-in for PowerShell that records its arguments. `body` makes its answer from `text` and `id`. */
function standIn(body: string): {
  readonly program: string;
  readonly calls: () => readonly {
    readonly argv: readonly string[];
    readonly environment: readonly string[];
    readonly cwd: string;
  }[];
} {
  const root = directory();
  const [program, log] = [join(root, 'pwsh'), join(root, 'log')];
  const script = `
const fs = require('node:fs');
fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ argv: process.argv.slice(2), environment: Object.keys(process.env), cwd: process.cwd() }) + '\\n');
const { id, text } = JSON.parse(fs.readFileSync(0, 'utf8'));
${body}`;
  writeFileSync(program, `#!${process.execPath}\n${script}`, { mode: 0o755 });
  return {
    program,
    calls: () =>
      existsSync(log)
        ? readFileSync(log, 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as never)
        : [],
  };
}

const answering = `const words = text.split(' ').map((value) => ({ kind: 'static', text: value, value, start: 0, end: value.length }));
console.log(JSON.stringify({ id, errors: [], strange: [], commands: [{ words, redirects: [], piped: false, top: true, start: 0, end: text.length }] }));`;

describe('a stand-in for PowerShell', () => {
  test('tells what a text runs', () => {
    expect(askPowerShell(standIn(answering).program)('rm a')).toMatchObject({
      invocations: [{ argv: [{ value: 'rm' }, { value: 'a' }] }],
      opaque: [],
    });
  });

  test('is asked once for each text, with nothing of the environment, and gets the program', () => {
    const { program, calls } = standIn(answering);
    const ask = askPowerShell(program);
    for (const text of ['a', 'a', 'b']) ask(text);
    expect(calls()).toHaveLength(2);
    expect(calls()[0]).toMatchObject({
      cwd: '/',
      argv: [
        '-NoProfile',
        '-NonInteractive',
        '-EncodedCommand',
        Buffer.from(powershellProgram, 'utf16le').toString('base64'),
      ],
    });
    expect(calls()[0]?.environment.filter((name) => !name.startsWith('__'))).toEqual([]);
  });

  test.each([
    ['says something else', 'console.log("hello");'],
    ['says nothing', ''],
    ['fails', `${answering}\nprocess.exitCode = 1;`],
    ['answers another request', answering.replace('id,', 'id: 2,')],
    ['says more than was asked', `${answering}\nconsole.log("{}");`],
  ])('that %s has told nothing', (_, body) => {
    expect(askPowerShell(standIn(body).program)('rm a')).toBeUndefined();
  });

  test.each(['using module ./x', 'USING assembly x.dll', 'ls; Configuration x { }', 'Import-DscResource x'])(
    'is not asked about %j: it would load code to read it',
    (text) => {
      const { program, calls } = standIn(answering);
      expect(askPowerShell(program)(text)).toBeUndefined();
      expect(calls()).toEqual([]);
    },
  );

  test('that does not end is not waited for', () => {
    // It never ends by itself.
    expect(askPowerShell(standIn('setInterval(() => 0, 1000);').program)('rm a')).toBeUndefined();
  }, 60_000);

  test('that is not there has told nothing', () => {
    expect(askPowerShell('/no/such/pwsh')('rm a')).toBeUndefined();
  });
});

describe('the PowerShell of the host', () => {
  function installed(): { readonly system: string; readonly workspace: string } {
    const root = directory();
    const [system, workspace] = [join(root, 'system'), join(root, 'workspace')];
    for (const place of [system, workspace]) {
      mkdirSync(place);
      writeFileSync(join(place, 'pwsh'), '', { mode: 0o755 });
    }
    return { system, workspace };
  }

  test('is found in PATH', () => {
    const { system, workspace } = installed();
    expect(findPowerShell(`/no/such:${system}`, [workspace])).toBe(join(system, 'pwsh'));
    expect(findPowerShell('/no/such', [workspace])).toBeUndefined();
  });

  test.each(['', '.', 'workspace', './'])('is not looked for in %j', (entry) => {
    const { system, workspace } = installed();
    expect(findPowerShell(entry, [])).toBeUndefined();
    expect(findPowerShell(`${entry}:${system}`, [workspace])).toBe(join(system, 'pwsh'));
  });

  test('is none that a box could have written', () => {
    const { system, workspace } = installed();
    expect(findPowerShell(workspace, [workspace])).toBeUndefined();
    expect(findPowerShell(`${workspace}:${system}`, [workspace])).toBe(join(system, 'pwsh'));
    rmSync(join(system, 'pwsh'));
    symlinkSync(join(workspace, 'pwsh'), join(system, 'pwsh'));
    expect(findPowerShell(system, [workspace])).toBeUndefined();
    expect(findPowerShell(system, ['/'])).toBeUndefined();
  });

  test('is none that others can write, or nobody may execute', () => {
    const { system } = installed();
    chmodSync(join(system, 'pwsh'), 0o757);
    expect(findPowerShell(system, [])).toBeUndefined();
    chmodSync(join(system, 'pwsh'), 0o644);
    expect(findPowerShell(system, [])).toBeUndefined();
  });
});
