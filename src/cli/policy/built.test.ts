import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

/** Runs the built files in a separate process, as a user would. */
const holdfast = join(import.meta.dirname, '../../../bin/holdfast');

interface Place {
  readonly workspace: string;
  readonly run: (...argv: readonly string[]) => {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  };
}

function place(): Place {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'holdfast-built-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const workspace = join(root, 'workspace');
  mkdirSync(workspace);
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: root,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_CONFIG_HOME: join(root, 'config'),
  };
  return {
    workspace,
    run: (...argv) => {
      const { status, stdout, stderr } = spawnSync(holdfast, ['policy', ...argv], {
        cwd: workspace,
        env,
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
  };
}

describe('the built command', () => {
  test('takes a project from nothing to a tested policy', () => {
    const { workspace, run } = place();
    const file = join(workspace, 'holdfast.toml');
    expect(run('check')).toEqual({
      status: 0,
      stdout: 'No policy file is in force here. The built-in defaults apply; `holdfast policy show` prints them.\n',
      stderr: '',
    });
    expect(run('init')).toMatchObject({ status: 0, stderr: '' });
    expect(run('init').status).toBe(125);
    expect(run('check')).toEqual({ status: 0, stdout: `${file}: no problems\n`, stderr: '' });
    writeFileSync(
      file,
      `${readFileSync(file, 'utf8')}\n[[file]]\nname = "keep"\ndecision = "deny"\npaths = ["gen"]\noperations = ["write"]\nmatch = ["write gen/a"]\n`,
    );
    expect(run('test')).toMatchObject({
      status: 0,
      stdout: `ok  keep matches "write gen/a"\n${file}: 1 example, as written\n`,
    });
    expect(run('explain', '--path', 'gen/a', '--write').stdout).toMatch(
      /^deny write .*\n {2}required abstains.*\n {2}user {5}allow: .*\n {2}project {2}deny: keep of .* says so .*\nto allow it\n {2}change keep in .*holdfast\.toml line \d+\n$/u,
    );
    expect(run('show').stdout).toMatch(/deny paths=\["gen"\] operations=\["write"\] +project keep/u);
  });

  test('names every problem and fails', () => {
    const { workspace, run } = place();
    writeFileSync(join(workspace, 'holdfast.toml'), 'version = 1\n[files]\nraed = []\n[netwrok]\n');
    const { status, stdout } = run('check');
    expect(status).toBe(1);
    expect(stdout.match(/unknown key/gu)).toHaveLength(2);
    expect(JSON.parse(run('check', '--json').stdout)).toMatchObject({ problems: [{ line: 3 }, { line: 4 }] });
  });

  test.each([
    ['ten megabytes', '#'.repeat(10 << 20)],
    ['deep nesting', `version = 1\na = ${'['.repeat(200_000)}`],
    ['a hostile key', 'version = 1\n"[x" = 1\n'],
    ['a prototype', 'version = 1\n[__proto__]\nx = 1\n'],
    ['line ends in paths', 'version = 1\n[files]\nread = ["/a\\nholdfast: all is well\\n"]\n'],
  ])('%s are refused in words', (_, text) => {
    const { workspace, run } = place();
    writeFileSync(join(workspace, 'holdfast.toml'), text);
    const { status, stdout, stderr } = run('check');
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).not.toMatch(/^holdfast: all is well/mu);
    expect(stdout).toMatch(/\w/u);
  });

  test('prints the schema', () => {
    expect(JSON.parse(place().run('schema').stdout)).toEqual(
      JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/policy.schema.json'), 'utf8')),
    );
  });
});
