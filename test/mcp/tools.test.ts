import { existsSync, readFileSync, statSync, chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Project } from '../lib/holdfast.ts';
import { McpClient } from '../lib/mcp-client.ts';

let project: Project;
let mcp: McpClient;
const at = (path: string): string => join(project.workspace, path);
const content = (path: string): string => readFileSync(at(path), 'utf8');

beforeAll(async () => {
  project = new Project();
  mcp = await McpClient.connect(project);
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  project[Symbol.dispose]();
});

describe('the tools that a client finds', () => {
  test('the tools, each with schemas of closed objects and hints', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'bash',
      'read',
      'write',
      'edit',
      'apply_patch',
      'grep',
      'glob',
      'fetch',
      'run_code',
      'why',
    ]);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
      expect(description).not.toBe('');
    }
    expect(mcp.client.getServerVersion()).toMatchObject({ name: 'holdfast' });
    expect(mcp.client.getInstructions()).toContain(project.workspace);
  });
});

describe('bash', () => {
  test('gives exit code and both streams', async () => {
    const { text, structured, isError } = await mcp.call('bash', { command: 'echo out; echo err >&2; exit 3' });
    expect(structured).toMatchObject({
      exitCode: 3,
      ending: 'exited',
      stdout: 'out\n',
      stderr: 'err\n',
      leftOut: { stdout: 0, stderr: 0 },
    });
    expect([text, isError]).toEqual(['out\n[stderr]\nerr\n[exit code 3]', false]);
  });

  test('is bash, in a directory, with a stdin', async () => {
    project.write('sub/here', '');
    expect(
      (await mcp.call('bash', { command: '[[ -n $BASH_VERSION ]] && ls && cat', cwd: 'sub', stdin: 'given' }))
        .structured,
    ).toMatchObject({ stdout: 'here\ngiven' });
  });

  test('stays in the box, and names the rule of each refusal', async () => {
    const secret = project.write('../outside/secret', 'not for a box\n');
    const { structured, text } = await mcp.call('bash', {
      command: `cat ${secret}; echo x > ${secret}; echo y > /etc/holdfast-test`,
    });
    expect(readFileSync(secret, 'utf8')).toBe('not for a box\n');
    expect(JSON.stringify(structured)).not.toContain('not for a box');
    expect(structured['refusals']).toContainEqual(
      expect.objectContaining({
        request: 'write /etc/holdfast-test',
        remedy: expect.stringContaining('--write') as string,
      }),
    );
    expect(text).toContain('refused: ');
  });

  test('ends on time, with all its processes', async () => {
    const { structured } = await mcp.call('bash', { command: 'echo before; sleep 600 & sleep 600', timeoutMs: 1000 });
    expect(structured).toMatchObject({ ending: 'timed-out', stdout: 'before\n' });
  });

  test('shows both ends of long output, and the size of the gap', async () => {
    const { structured, text } = await mcp.call('bash', {
      command: 'echo start; head -c 100000000 /dev/zero | tr "\\0" x; echo; echo end',
    });
    const { stdout, leftOut } = structured as { stdout: string; leftOut: { stdout: number } };
    expect(stdout.startsWith('start\nxxx')).toBe(true);
    expect(stdout.endsWith('xxx\nend\n')).toBe(true);
    expect(stdout.length).toBeLessThan(34_000);
    expect(leftOut.stdout).toBeGreaterThan(99_900_000);
    expect(text).toContain(`[… ${leftOut.stdout} bytes left out …]`);
    const peak = /VmHWM:\s+(\d+) kB/u.exec(readFileSync(`/proc/${mcp.transport.pid}/status`, 'utf8'))?.[1];
    expect(Number(peak) * 1024).toBeLessThan(400_000_000);
  });

  test('reports a command that is not text, or has no directory', async () => {
    expect((await mcp.call('bash', { command: 'echo (' })).structured).toMatchObject({ exitCode: 2 });
    expect(await mcp.call('bash', { command: 'true', cwd: '/nowhere' })).toMatchObject({ isError: true });
    expect(await mcp.call('bash', { command: 'true' })).toMatchObject({ isError: false, text: '[no output]' });
  });
});

describe('run_code', () => {
  test('gives values, pictures and files, and a named one remembers', async () => {
    const code =
      "import base64\nx = 20\nopen('t.csv', 'w').write('a,b')\nclass P:\n  def _repr_png_(self): return base64.b64decode('iVBORw0KGgo=')\nprint('p\\u200b')\nP()";
    const { content, structuredContent } = await mcp.client.callTool({
      name: 'run_code',
      arguments: { language: 'python', code, session: 'one', artifacts: ['*.csv'] },
    });
    expect(content.map((part) => (part.type === 'image' ? [part.mimeType, part.data] : part.type))).toEqual([
      'text',
      ['image/png', 'iVBORw0KGgo='],
    ]);
    expect(structuredContent).toMatchObject({
      ending: 'completed',
      stdout: 'p⟦U+200B⟧\n',
      hidden: expect.stringContaining('') as string,
      artifacts: [{ path: 't.csv', mimeType: 'text/csv', bytes: 3 }],
    });
    expect((await mcp.call('run_code', { language: 'python', code: 'x + 1', session: 'one' })).text).toBe('21');
    expect(
      (await mcp.call('run_code', { language: 'python', code: 'x', session: 'one', restart: true, end: true })).text,
    ).toContain("NameError: name 'x' is not defined");
    const shell = { language: 'shell', code: 'pwd', session: 'moved' };
    await mcp.call('run_code', { ...shell, code: 'mkdir -p below' });
    expect((await mcp.call('run_code', { ...shell, restart: true, cwd: 'below' })).text).toMatch(/\/below$/u);
    expect((await mcp.call('run_code', { ...shell, restart: true, end: true })).text).toMatch(/\/below$/u);
    expect(
      (await mcp.call('run_code', { language: 'shell', code: 'cat ~/.ssh/id_ed25519; exit 3' })).structured,
    ).toMatchObject({ ending: 'exited', exitCode: 3 });
    expect(await mcp.call('run_code', { language: 'cobol', code: '1' })).toMatchObject({
      isError: true,
      structured: { code: 'HF_USAGE' },
    });
  });

  test('gives a model no more than it can read, and names the missing part', async () => {
    const code =
      "for n in range(150): open(f'{n}.bulk', 'w').write('')\nopen('whole.bulk', 'w').truncate(100 << 30)\nfor n in range(120): display('x' * 30_000)";
    const { structured, text } = await mcp.call('run_code', { language: 'python', code, artifacts: ['*.bulk'] });
    const { results, artifacts } = structured as {
      readonly results: readonly { readonly formats: readonly { readonly text?: string }[] }[];
      readonly artifacts: readonly unknown[];
    };
    expect([results.length, artifacts.length, structured['artifactsLeftOut'], structured['resultsLeftOut']]).toEqual([
      100, 100, 51, 40,
    ]);
    expect(results[0]?.formats[0]?.text).toContain('x'.repeat(30_000));
    expect(results.at(-1)?.formats.map((format) => format.text)).toEqual([undefined, undefined]);
    expect(text.length).toBeLessThan(300_000);
    expect(text).toContain('[51 more files were made or changed]');
  });

  test('is cancelled with its call, and continues', async () => {
    const aborter = new AbortController();
    const heard: string[] = [];
    const call = mcp.call(
      'run_code',
      { language: 'javascript', code: 'var kept = 7; console.log("up"); while (true);', session: 'two' },
      { signal: aborter.signal, onprogress: ({ message = '' }) => (heard.push(message), aborter.abort()) },
    );
    await expect(call).rejects.toThrow();
    expect(heard[0]).toBe('up');
    expect((await mcp.call('run_code', { language: 'javascript', code: 'kept', session: 'two' })).text).toBe('7');
  });
});

describe('files', () => {
  test('read: lines, from any place in a file', async () => {
    project.write('lines', Array.from({ length: 5000 }, (_, index) => `line ${index + 1}\n`).join(''));
    expect((await mcp.call('read', { path: 'lines' })).structured).toMatchObject({
      from: 1,
      count: 2000,
      stopped: 'lines',
    });
    expect((await mcp.call('read', { path: 'lines', from: 4999, count: 9 })).structured).toMatchObject({
      text: 'line 4999\nline 5000\n',
      count: 2,
      stopped: 'end',
    });
    expect((await mcp.call('read', { path: '/bin/sh' })).structured).toMatchObject({ form: 'binary', text: '' });
  });

  test('read: missing and hidden files are errors with a code', async () => {
    expect(await mcp.call('read', { path: 'nothing' })).toMatchObject({
      isError: true,
      structured: { code: 'ENOENT' },
    });
    const hidden = await mcp.call('read', { path: '~/.ssh/id_ed25519'.replace('~', project.home) });
    expect(hidden.isError).toBe(true);
  });

  test('write: a whole file, with its parent directories, and never outside', async () => {
    expect((await mcp.call('write', { path: 'a/b/c.txt', content: 'new\n' })).structured).toEqual({
      path: 'a/b/c.txt',
      bytes: 4,
    });
    expect(content('a/b/c.txt')).toBe('new\n');
    expect(await mcp.call('write', { path: '/etc/holdfast-test', content: 'x' })).toMatchObject({
      isError: true,
      structured: { code: 'EROFS', remedy: expect.stringContaining('--write') as string },
    });
    expect((await mcp.call('write', { path: '.git/hooks/post-checkout', content: 'x' })).isError).toBe(true);
    expect(existsSync(at('.git/hooks/post-checkout'))).toBe(false);
  });

  test('edit: one place, or all of them, byte for byte', async () => {
    writeFileSync(at('bytes'), Buffer.from([0xff, 0x61, 0x0a, 0x61, 0xfe]));
    expect(await mcp.call('edit', { path: 'bytes', oldString: 'a', newString: 'b' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('more than once') as string,
    });
    expect((await mcp.call('edit', { path: 'bytes', oldString: 'a\n', newString: 'c\n' })).structured).toMatchObject({
      replaced: 1,
    });
    expect(readFileSync(at('bytes'))).toEqual(Buffer.from([0xff, 0x63, 0x0a, 0x61, 0xfe]));
    project.write('many', 'x x x');
    chmodSync(at('many'), 0o750);
    expect(
      (await mcp.call('edit', { path: 'many', oldString: 'x', newString: 'xx', replaceAll: true })).structured,
    ).toMatchObject({ replaced: 3 });
    expect([content('many'), statSync(at('many')).mode & 0o777]).toEqual(['xx xx xx', 0o750]);
    expect(await mcp.call('edit', { path: 'many', oldString: 'y', newString: '' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('is not in') as string,
    });
    expect(await mcp.call('edit', { path: 'many', oldString: 'x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('edit: the field "newString" is missing') as string,
    });
  });

  test('parallel edits do not lose each other', async () => {
    project.write('together', Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join(''));
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        mcp.call('edit', { path: 'together', oldString: `<${index}>`, newString: `done ${index}` }),
      ),
    );
    expect(content('together')).toBe(Array.from({ length: 20 }, (_, index) => `done ${index}\n`).join(''));
  });
});

describe('apply_patch', () => {
  test('a unified diff, as git writes it', async () => {
    project.write('p/old', 'one\ntwo\nthree\n');
    project.write('p/gone', 'x\n');
    const patch =
      'diff --git a/p/old b/p/old\n--- a/p/old\n+++ b/p/old\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n--- a/p/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n--- /dev/null\n+++ b/p/made\n@@ -0,0 +1 @@\n+y\n';
    expect((await mcp.call('apply_patch', { patch })).structured).toEqual({
      files: [
        { path: 'p/old', change: 'updated' },
        { path: 'p/gone', change: 'deleted' },
        { path: 'p/made', change: 'added' },
      ],
    });
    expect([content('p/old'), existsSync(at('p/gone')), content('p/made')]).toEqual([
      'one\nTWO\nthree\n',
      false,
      'y\n',
    ]);
  });

  test("the form of Codex's models", async () => {
    project.write('q/old', 'def f():\n    return 1\n\ndef g():\n    return 1\n');
    project.write('q/moved', 'a\nb\n');
    chmodSync(at('q/moved'), 0o755);
    const patch =
      '*** Begin Patch\n*** Update File: q/old\n@@ def g():\n-    return 1\n+    return 2\n*** Update File: q/moved\n*** Move to: q/there\n@@\n a\n-b\n+c\n*** Add File: q/new\n+hello\n*** End Patch\n';
    expect(await mcp.call('apply_patch', { patch })).toMatchObject({ isError: false });
    expect([content('q/old'), content('q/there'), content('q/new'), existsSync(at('q/moved'))]).toEqual([
      'def f():\n    return 1\n\ndef g():\n    return 2\n',
      'a\nc\n',
      'hello\n',
      false,
    ]);
    expect(statSync(at('q/there')).mode & 0o777).toBe(0o755);
  });

  test('applies completely or not at all: if a later file does not fit, or the kernel refuses it', async () => {
    project.write('r/first', 'first\n');
    project.write('r/gone', 'gone\n');
    const first =
      '*** Update File: r/first\n-first\n+changed\n*** Add File: r/added\n+x\n*** Add File: r/deep/er/added\n+x\n*** Delete File: r/gone\n';
    for (const last of [
      '*** Update File: r/first2\n-x\n+y\n',
      '*** Add File: /etc/holdfast-test\n+x\n',
      '*** Add File: .git/hooks/pre-push\n+x\n',
    ]) {
      expect(await mcp.call('apply_patch', { patch: `*** Begin Patch\n${first}${last}*** End Patch` })).toMatchObject({
        isError: true,
      });
      expect([
        content('r/first'),
        content('r/gone'),
        existsSync(at('r/added')),
        existsSync(at('.git/hooks/pre-push')),
        existsSync(at('r/deep')),
      ]).toEqual(['first\n', 'gone\n', false, false, false]);
    }
  });

  test.each([
    '',
    'hello',
    '*** Begin Patch\n*** End Patch',
    '*** Begin Patch\n*** Update File: x\n',
    '--- a\n+++ b\n@@ -1,9 +1 @@\n x\n',
    '*** Begin Patch\n*** Add File: s\n+a\n*** Add File: s\n+b\n*** End Patch',
  ])('refused: %j', async (patch) => {
    expect(await mcp.call('apply_patch', { patch })).toMatchObject({ isError: true, structured: { code: 'HF_USAGE' } });
    expect(existsSync(at('s'))).toBe(false);
  });
});

describe('grep and glob', () => {
  beforeAll(() => {
    project.write('find/a.ts', 'const needle = 1;\n');
    project.write('find/deep/b.json', '{"needle": "NEEDLE"}\n');
    project.write('find/node_modules/c.ts', 'export {};\n');
  });

  test('grep', async () => {
    const { structured, text } = await mcp.call('grep', { pattern: 'needle = \\d', path: 'find' });
    expect(structured).toMatchObject({
      lines: [{ path: 'find/a.ts', line: 1, text: 'const needle = 1;' }],
      searched: 'whole',
    });
    expect(text).toBe('find/a.ts:1:const needle = 1;');
    expect(
      (await mcp.call('grep', { pattern: 'NEEDLE', glob: '*.ts', ignoreCase: true })).structured['lines'],
    ).toHaveLength(1);
    expect((await mcp.call('grep', { pattern: 'needle', limit: 1, path: 'find' })).structured).toMatchObject({
      searched: 'limit',
      lines: { length: 1 },
    });
    expect((await mcp.call('grep', { pattern: 'not to be found [h]ere', path: 'find' })).structured).toMatchObject({
      lines: [],
    });
    expect(await mcp.call('grep', { pattern: '(' })).toMatchObject({ isError: true, structured: { code: 'HF_USAGE' } });
    expect(await mcp.call('grep', { pattern: '-x', path: '--help' })).toMatchObject({ isError: true });
  });

  test('glob', async () => {
    expect((await mcp.call('glob', { pattern: '*.{ts,json}', path: 'find' })).structured).toEqual({
      paths: ['find/a.ts', 'find/deep/b.json'],
      searched: 'whole',
    });
    expect((await mcp.call('glob', { pattern: 'find/node_modules/*' })).structured).toMatchObject({
      paths: ['find/node_modules/c.ts'],
    });
    expect(await mcp.call('glob', { pattern: '../*' })).toMatchObject({ isError: true });
  });
});

describe('fetch and why', () => {
  test('an ungranted host is refused with the remedy, and why explains the refusal', async () => {
    expect(await mcp.call('fetch', { url: 'https://refused.example/' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('--host refused.example:443') as string,
    });
    await mcp.call('bash', { command: 'echo x > /etc/holdfast-why' });
    expect(JSON.stringify((await mcp.call('why', { last: 100 })).structured['refusals'])).toContain(
      '/etc/holdfast-why',
    );
  });

  test('why answers questions', async () => {
    const { structured } = await mcp.call('why', {
      path: '/etc/x',
      operation: 'write',
      host: 'refused.example',
      command: 'git push',
    });
    expect(structured['answers']).toMatchObject([
      { request: 'write /etc/x', decision: 'deny' },
      { request: 'connect to refused.example:443', decision: 'deny' },
      { request: 'git push' },
    ]);
  });
});

describe('staged', () => {
  test('nothing reaches the host; review shows it', async () => {
    using own = new Project();
    own.write('here', 'before\n');
    await using staged = await McpClient.connect(own, ['--staged']);
    await staged.call('write', { path: 'here', content: 'after\n' });
    await staged.call('bash', { command: 'echo made > new' });
    const { text, structured } = await staged.call('review');
    expect(structured).toMatchObject({
      counts: { added: 1, modified: 1 },
      changes: [{ kind: 'modified' }, { kind: 'added' }],
    });
    expect(text).toContain('+after');
    expect([readFileSync(join(own.workspace, 'here'), 'utf8'), existsSync(join(own.workspace, 'new'))]).toEqual([
      'before\n',
      false,
    ]);
  });
});
