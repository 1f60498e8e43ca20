import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { Sandbox, type CodeExecution, type CodeLanguage } from '../src/sandbox/index.ts';
import { Project } from './lib/holdfast.ts';

let project: Project;
let sandbox: Sandbox;
beforeAll(async () => {
  project = new Project();
  sandbox = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
});
afterAll(async () => {
  await sandbox.close();
  project[Symbol.dispose]();
});

const typesOf = ({ results }: CodeExecution): unknown =>
  results.map(({ kind, formats }) => [
    kind,
    ...formats.map(({ mimeType, data }) => `${mimeType} ${data.toString('latin1').slice(0, 20)}`),
  ]);
const one = (language: CodeLanguage, source: string, more: object = {}): Promise<CodeExecution> =>
  sandbox.code.run(source, { language, ...more });

describe('one program text', () => {
  test.each([
    ['python', 'import asyncio\nprint("out"); await asyncio.sleep(0)\n{"a": [1, None]}', { a: [1, null] }],
    [
      'javascript',
      'import { basename } from "node:path"; console.log("out"); await null; ({ a: [1, basename("/x")] })',
      { a: [1, 'x'] },
    ],
    ['typescript', 'enum E { A = 4 }\nconst x: { a: E } = { a: E.A };\nconsole.log("out"); x', { a: 4 }],
  ] as const)('in %s gives its value, and its output', async (language, source, json) => {
    const { results, stdout, stderr, ending, error } = await one(language, source);
    expect([results.map((result) => result.json), stdout.toString(), stderr.toString(), ending, error]).toEqual([
      [json],
      'out\n',
      '',
      'completed',
      undefined,
    ]);
  });

  test('in a shell gives its status, and cannot leave its loop', async () => {
    expect(await one('shell', 'echo out; cat; echo err >&2; break; echo no')).toMatchObject({
      stdout: Buffer.from('out\n'),
      stderr: Buffer.from('err\n'),
      exitCode: 0,
      ending: 'completed',
      results: [],
    });
    expect(await one('shell', 'false')).toMatchObject({ exitCode: 1, ending: 'completed' });
    expect(await one('shell', 'echo out; exit 5')).toMatchObject({
      exitCode: 5,
      ending: 'exited',
      stdout: Buffer.from('out\n'),
    });
  });

  test('that throws has an error without frames of the driver, and a refusal is reported', async () => {
    const python = await one('python', 'def f():\n  open("/etc/holdfast-test", "w")\nf()');
    expect(python).toMatchObject({
      ending: 'completed',
      error: { name: 'OSError' },
      refusals: [{ request: { kind: 'file', path: '/etc/holdfast-test' } }],
    });
    expect(python.error?.traceback).toMatch(/^Traceback[^\n]*\n {2}File "cell-1.py", line 3/u);
    const javascript = await one('javascript', 'function f() { throw new TypeError("no") }\nf()');
    expect(javascript.error).toMatchObject({
      name: 'TypeError',
      message: 'no',
      traceback: 'TypeError: no\n    at f (cell-1.js:1:22)\n    at cell-1.js:2:1',
    });
  });

  test('shows values in their own forms, by the hooks of Jupyter', async () => {
    const python = `
import base64
class Rich:
    def __repr__(self): return 'rich'
    def _repr_html_(self): return '<b>rich</b>'
    def _repr_svg_(self): raise ValueError('no')
    def _repr_png_(self): return base64.b64decode('iVBORw0KGgo=')
class Bundle:
    def __repr__(self): return 'bundle'
    def _repr_mimebundle_(self, include=None, exclude=None): return {'text/markdown': '*b*', 'image/jpeg': 'R0lGODlh', 'no type': 'x'}
display(Rich(), Rich)
Bundle()`;
    const { results, error } = await one('python', python);
    expect(error).toBeUndefined();
    expect(typesOf({ results } as CodeExecution)).toEqual([
      ['display', 'text/plain rich', 'text/html <b>rich</b>', 'image/png \x89PNG\r\n\x1a\n'],
      ['display', "text/plain <class '__main__.Ric"],
      // It claims to be a JPEG, and its bytes are those of a GIF.
      ['value', 'text/plain bundle', 'text/markdown *b*', 'image/gif GIF89a'],
    ]);
    const javascript = await one(
      'javascript',
      "display({ [Symbol.for('Jupyter.display')]: async () => ({ 'text/html': '<i>', 'image/png': Buffer.from('iVBORw0KGgo=', 'base64') }), toString() {} }); 10n",
    );
    expect(typesOf(javascript)).toEqual([
      [
        'display',
        expect.stringMatching(/^text\/plain /u),
        'application/json {}',
        'text/html <i>',
        'image/png \x89PNG\r\n\x1a\n',
      ],
      ['value', 'text/plain 10n'],
    ]);
  });

  test('shows tables and open plots, as the libraries give them', async () => {
    const standIns = `
import sys, types
plots = types.ModuleType('matplotlib.pyplot')
class Figure:
    def savefig(self, file, format, bbox_inches): file.write(b'\\x89PNG\\r\\n\\x1a\\n')
open_figures = [3]
plots.get_fignums, plots.figure, plots.close = lambda: list(open_figures), lambda number: Figure(), lambda which: open_figures.clear()
sys.modules['matplotlib.pyplot'] = plots
class DataFrame:
    def __repr__(self): return 'a'
    def to_csv(self): return ',a\\n'
DataFrame.__module__ = 'pandas.core.frame'
import os
[DataFrame(), os.environ['MPLBACKEND']][0]`;
    await using context = await sandbox.code.createContext({ language: 'python' });
    expect(typesOf(await context.run(standIns))).toEqual([
      ['display', 'image/png \x89PNG\r\n\x1a\n'],
      ['value', 'text/plain a', 'text/csv ,a\n'],
    ]);
    expect(typesOf(await context.run('None'))).toEqual([]);
  });

  test('omits oversized output: text is cut, other forms are counted', async () => {
    const { results, resultsLeftOut, truncated, stdout } = await one(
      'python',
      'print("x" * 300_000)\nclass L:\n  def __repr__(self): return "y" * 3_000_000\n  def _repr_html_(self): return "z" * 9_000_000\nL()',
      { maxOutputBytes: 1000, keep: 'ends' },
    );
    const many = await one('python', 'for _ in range(2000): display(1)');
    expect([many.results.length, many.resultsLeftOut, many.error]).toEqual([900, 2200, undefined]);
    expect([results[0]?.text?.length, results[0]?.formats.length, resultsLeftOut]).toEqual([(1 << 20) + 1, 1, 1]);
    expect([truncated.stdout, stdout.toString().includes(`${truncated.stdout} bytes left out`)]).toEqual([
      299_001,
      true,
    ]);
  });

  test('returns new and changed files, and no others', async () => {
    project.write('old.csv', 'a\n');
    project.write('changed.csv', 'b\n');
    const source =
      'import os\nos.mkdir("out")\nopen("out/new.svg", "w").write("<svg/>")\nopen("changed.csv", "w").write("c,d")\nopen("other.txt", "w").write("")\nos.symlink("/etc/passwd", "link.csv")';
    const { artifacts, artifactsLeftOut } = await one('python', source, { artifacts: ['*.csv', 'out/**'] });
    expect(artifacts.map(({ path, mimeType, data }) => [path, mimeType, data.toString()])).toEqual([
      ['changed.csv', 'text/csv', 'c,d'],
      ['out/new.svg', 'image/svg+xml', '<svg/>'],
    ]);
    expect(artifactsLeftOut).toEqual([{ path: 'link.csv', reason: 'no-file' }]);
  });

  test('for a model contains no hidden characters', async () => {
    const { results, stdout, error, findings } = await one(
      'python',
      'print("a\\u200bb")\ndisplay("\\x1b[31mred")\nraise ValueError("\\u202e")',
      { show: 'model' },
    );
    const texts = [stdout.toString(), results[0]?.text, error?.message, error?.traceback].join('');
    expect(['\u200B', '\u202E', '\u001B'].filter((hidden) => texts.includes(hidden))).toEqual([]);
    expect(findings.length).toBeGreaterThan(1);
  });

  test('that cannot run is refused with a remedy', async () => {
    await expect(one('python', '1', { environment: { PATH: '/nowhere' } })).rejects.toMatchObject({
      code: 'HF_INTERPRETER_MISSING',
      details: { language: 'python' },
    });
    await expect(one('cobol' as CodeLanguage, '1')).rejects.toMatchObject({ code: 'HF_USAGE' });
    await expect(one('shell', 'echo \0')).rejects.toMatchObject({ code: 'HF_USAGE' });
    await expect(one('python', '1', { timeoutMs: -1 })).rejects.toMatchObject({ code: 'HF_USAGE' });
    await expect(one('python', '1', { maxOutputBytes: Number.NaN })).rejects.toMatchObject({ code: 'HF_USAGE' });
    project.write('bin/python3', '#!/bin/sh\nsleep 600\n');
    project.outside('chmod', ['+x', 'bin/python3']);
    const aborter = new AbortController();
    const silent = one('python', '1', {
      environment: { PATH: `${project.workspace}/bin:/usr/bin:/bin` },
      signal: aborter.signal,
    });
    await expect.poll(() => sandbox.commands.list()[0]?.pid).toBeTypeOf('number');
    aborter.abort();
    await expect(silent).rejects.toThrow(/abort/u);
    expect(sandbox.commands.list()).toEqual([]);
  });
});

test('is subject to rules about commands: they cover the interpreter and its programs', async () => {
  using ruled = new Project();
  ruled.write('../home/.config/holdfast/policy.toml', 'version = 1\n[commands]\ndeny = ["xxd"]\n');
  const asked: string[] = [];
  await using strict = await Sandbox.create({
    workspace: ruled.workspace,
    environment: ruled.libraryEnvironment,
    approve: ({ request }) => (asked.push(request.kind === 'exec' ? request.program : ''), Promise.resolve('allow')),
  });
  const { error, refusals } = await strict.code.run('import subprocess\nsubprocess.run(["xxd"])', {
    language: 'python',
  });
  expect([asked, error?.name, refusals.length > 0]).toEqual([['python3'], 'PermissionError', true]);
});

describe('a context', () => {
  test('of Python remembers, can be interrupted, and reports its end', async () => {
    // Attack: modules of the workspace that the driver would take for Python's own.
    for (const name of ['ast', 'json', 'struct']) project.write(`${name}.py`, 'raise SystemExit(9)\n');
    await using context = await sandbox.code.createContext({
      language: 'python',
      graceMs: 60_000,
      environment: { GIVEN: 'yes' },
    });
    await expect(context.run(' '.repeat((4 << 20) + 1))).rejects.toMatchObject({ code: 'HF_USAGE' });
    const both = await Promise.all([
      context.run('import os, threading\nx = os.environ["GIVEN"]\nx'),
      context.run('x + "!"'),
    ]);
    expect(both.map(({ results }) => results[0]?.json)).toEqual(['yes', 'yes!']);
    const aborter = new AbortController();
    const endless = context.run('print("up")\nwhile True: pass', {
      signal: aborter.signal,
      onOutput: () => aborter.abort(),
    });
    expect(await endless).toMatchObject({
      ending: 'aborted',
      error: { name: 'KeyboardInterrupt' },
      stdout: Buffer.from('up\n'),
    });
    expect([context.state, (await context.run('x')).results[0]?.json]).toEqual(['ready', 'yes']);
    expect(await context.run('print("bye")\nimport sys\nsys.exit(4)')).toMatchObject({
      ending: 'exited',
      exitCode: 4,
      stdout: Buffer.from('bye\n'),
    });
    await expect(context.run('x')).rejects.toMatchObject({ code: 'HF_CODE_ENDED', details: { exitCode: 4 } });
  });

  test('that ignores an interrupt is ended, and restarts', async () => {
    await using context = await sandbox.code.createContext({ language: 'python', graceMs: 300 });
    const deaf = new AbortController();
    const kept = context.run(
      'import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint("up")\nwhile True: pass',
      { signal: deaf.signal, onOutput: () => deaf.abort() },
    );
    expect(await kept).toMatchObject({ ending: 'aborted', signal: 9, error: { name: 'InterpreterEnded' } });
    expect(context.state).toBe('ended');
    await expect(context.run('x')).rejects.toMatchObject({ code: 'HF_CODE_ENDED', details: { signal: 9 } });
    await Promise.all([context.restart(), context.restart(), context.restart()]);
    expect(sandbox.commands.list().filter(({ state }) => state === 'running')).toHaveLength(1);
    expect((await context.run('x # \u200B')).error?.name).toBe('NameError');
    // The journal has each text before it runs.
    expect(
      readEvents(join(project.state, 'journal.jsonl'))
        .filter(({ type }) => type === 'code.run')
        .at(-1),
    ).toMatchObject({
      language: 'python',
      bytes: 7,
      start: 'x # \\u{200b}',
      command: sandbox.commands.list().at(-1)?.id,
    });
  });

  test('of JavaScript allows redeclaration, and is interrupted in loops and waits', async () => {
    await using context = await sandbox.code.createContext({ language: 'javascript', graceMs: 60_000 });
    await context.run('const x = 1; class A {}');
    expect((await context.run('const x = 2; setTimeout(() => { throw new Error("later") }); x')).results[0]?.json).toBe(
      2,
    );
    for (const source of ['console.log("up"); while (true);', 'console.log("up"); await new Promise(() => {})']) {
      const aborter = new AbortController();
      expect(await context.run(source, { signal: aborter.signal, onOutput: () => aborter.abort() })).toMatchObject({
        ending: 'aborted',
        error: { name: 'Interrupted' },
      });
    }
    expect((await context.run('[x, typeof A]')).results[0]?.json).toEqual([2, 'function']);
  });

  test('of a shell keeps its directory, and its end ends its processes', async () => {
    const context = await sandbox.code.createContext({ language: 'shell' });
    await context.run(
      'mkdir -p deep; cd deep; v=kept; (trap "" HUP TERM; while :; do sleep 0.05; date +%N > ../beat; done) & exec > /dev/null',
    );
    await context.run('echo "$v $PWD" > ../where');
    expect(project.outside('cat', ['where']).stdout).toBe(`kept ${project.workspace}/deep\n`);
    await context.close();
    const beats = [0, 1, 2, 3].map(() => project.outside('sh', ['-c', 'sleep 0.1; cat beat']).stdout);
    expect(new Set(beats).size).toBe(1);
  });

  test('accepts no text for another sandbox, nor after a narrowed policy, until it restarts', async () => {
    await using other = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
    await using context = await other.code.createContext({ language: 'shell' });
    await expect(sandbox.code.run('true', { context })).rejects.toMatchObject({ code: 'HF_USAGE' });
    expect(await other.code.run('v=kept', { context })).toMatchObject({ exitCode: 0 });
    await other.policy.narrow('version = 1\n[files]\nwrite = []');
    await expect(other.code.run('echo > wide', { context })).rejects.toMatchObject({ code: 'HF_CODE_ENDED' });
    await context.restart();
    expect(await context.run('echo "$v"; echo > wide')).toMatchObject({ stdout: Buffer.from('\n'), exitCode: 1 });
  });

  test('that forges answers affects only its own: the next text has its own', async () => {
    await using context = await sandbox.code.createContext({ language: 'python' });
    const forged = `
import os, time
nonce = display.__globals__['current']['nonce'].encode()
end = b'{"kind":"end","exitCode":7}'
os.write(1, b'\\0' + nonce + b'.')
os.write(2, b'\\0' + nonce + b'.%d\\n' % len(end) + end)
os.write(2, b'\\0' + b'0' * 32 + b'.%d\\n' % len(end) + end)
os.write(1, b'late')
'real'`;
    expect(await context.run(forged)).toMatchObject({ exitCode: 7, results: [] });
    const next = await context.run('1 + 1');
    expect([next.results.map(({ json }) => json), next.exitCode, next.error]).toEqual([[2], undefined, undefined]);
    await expect(
      context.run(
        "import os; os.write(2, b'\\0' + display.__globals__['current']['nonce'].encode() + b'.2\\n{]')\ndisplay.__globals__['json'].dumps = lambda *a: '['",
      ),
    ).rejects.toMatchObject({ code: 'HF_CODE_PROTOCOL' });
    expect(context.state).toBe('ended');
  });
});
