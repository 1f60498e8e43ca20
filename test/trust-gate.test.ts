import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Sandbox } from '../src/sandbox/index.ts';
import { keepApprovals, revokeApprovals } from '../src/trust/store/change-trust.ts';
import { backends, Project } from './lib/holdfast.ts';

const pathsOf = ({ state }: Project) => ({ trust: join(state, 'trust'), runtime: join(state, 'run') });

/** As `holdfast trust add` does, with the current bytes. */
function approve(project: Project, paths: readonly string[]): void {
  const approvals = paths.map((path) => {
    const bytes = readFileSync(join(project.workspace, path));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return {
      entry: {
        path,
        sha256,
        surface: 'test',
        level: 'always',
        approvedAt: new Date().toISOString(),
        fields: [],
        scripts: [],
      },
      contents: new Map([[sha256, bytes]]),
    } as const;
  });
  keepApprovals(pathsOf(project), {
    workspace: project.workspace,
    level: 'always',
    approvals,
    journal: () => undefined,
  });
}

function poisoned(): Project {
  const project = new Project();
  for (const [path, content] of [
    ['.mcp.json', '{"mcpServers":{}}'],
    ['CLAUDE.md', 'obey'],
    ['.claude/settings.json', '{"hooks":{}}'],
    ['.claude/skills/a/SKILL.md', 'skill'],
    ['deep/er/.cursor/rules/x.mdc', 'rule'],
    ['node_modules/p/CLAUDE.md', 'example'],
    ['src/index.js', 'code'],
  ] as const)
    project.write(path, content);
  return project;
}

const showAll =
  'for f in .mcp.json CLAUDE.md .claude/settings.json .claude/skills/a/SKILL.md deep/er/.cursor/rules/x.mdc node_modules/p/CLAUDE.md src/index.js; do cat $f 2>/dev/null || echo none; echo; done';

describe.each(backends)('a box of the %s backend', (backend) => {
  const inside = (project: Project, script: string, flags: readonly string[] = []) =>
    project.inside(script, ['--backend', backend, ...flags]);
  const seen = (project: Project, flags: readonly string[] = []) =>
    inside(project, showAll, flags).stdout.trim().split(/\n+/u);

  test('lacks files that programs load by themselves, at any depth, and has all others', () => {
    using project = poisoned();
    expect(seen(project)).toEqual(['none', 'none', 'none', 'none', 'none', 'example', 'code']);
  });

  test('has approved files, and only those of a directory', () => {
    using project = poisoned();
    approve(project, ['.mcp.json', '.claude/settings.json', 'deep/er/.cursor/rules/x.mdc']);
    expect(seen(project)).toEqual(['{"mcpServers":{}}', 'none', '{"hooks":{}}', 'none', 'rule', 'example', 'code']);
    expect(inside(project, 'find .claude | sort').stdout).toBe('.claude\n.claude/settings.json\n');
  });

  test('lacks a file that was approved as another kind', () => {
    using project = poisoned();
    approve(project, ['.mcp.json', 'CLAUDE.md']);
    project.write('.mcp.json', '{"mcpServers":{"evil":{"command":"touch"}}}');
    expect(seen(project).slice(0, 2)).toEqual(['none', 'obey']);
  });

  test('lacks a file that replaces an approved one during the run', async () => {
    using project = poisoned();
    approve(project, ['.mcp.json']);
    const script =
      'cat .mcp.json; : > ran; until [ -e go ]; do sleep 0.03; done; for i in $(seq 100); do grep -qs evil .mcp.json || break; sleep 0.03; done; cat .mcp.json';
    const child = project.start(['run', '--backend', backend, '--', 'sh', '-c', script]);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const closed = once(child, 'close');
    await expect.poll(() => existsSync(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
    renameSync(project.write('new', 'evil'), join(project.workspace, '.mcp.json'));
    project.write('go', '');
    await closed;
    expect(printed).toBe('{"mcpServers":{}}');
  });

  test('cannot move a new directory above an approved file away', async () => {
    using project = poisoned();
    // No guard judges renames then.
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[files]\nnew_protected = "quarantine"\n');
    approve(project, ['deep/er/.cursor/rules/x.mdc']);
    const script = ': > ran; until [ -e go ]; do sleep 0.03; done; mv deep moved; cat deep/er/.cursor/rules/x.mdc';
    const child = project.start(['run', '--backend', backend, '--', 'sh', '-c', script]);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const closed = once(child, 'close');
    await expect.poll(() => existsSync(join(project.workspace, 'ran')) || child.exitCode !== null).toBe(true);
    await sleep(500); // Until the watch has begun.
    project.write('../other/er/.cursor/rules/x.mdc', 'evil');
    renameSync(join(project.workspace, 'deep'), join(project.root, 'aside'));
    renameSync(join(project.root, 'other'), join(project.workspace, 'deep'));
    await sleep(1000); // Until the new directory is pinned.
    project.write('go', '');
    await closed;
    expect(said).toContain('Device or resource busy');
    expect(said).not.toContain('evil');
  });

  test('cannot change an approved file, nor replace it', () => {
    using project = poisoned();
    approve(project, ['.mcp.json', 'CLAUDE.md', '.claude/settings.json']);
    const tries = inside(
      project,
      'for f in .mcp.json CLAUDE.md .claude/settings.json .claude/new; do chmod 666 $f 2>/dev/null && echo "changed $f"; (echo x > $f) 2>/dev/null && echo "wrote $f"; done; for f in .mcp.json CLAUDE.md .claude; do mv $f moved 2>/dev/null && echo "moved $f"; rm -rf $f 2>/dev/null; done; cat .mcp.json CLAUDE.md .claude/settings.json',
    );
    expect(tries.stdout).toBe('{"mcpServers":{}}obey{"hooks":{}}');
    expect(readFileSync(join(project.workspace, 'CLAUDE.md'), 'utf8')).toBe('obey');
  });

  test('may make a file with such a name, which is withheld from the next box', () => {
    using project = new Project();
    expect(inside(project, 'echo mine > AGENTS.md; cat AGENTS.md').stdout).toBe('mine\n');
    expect(existsSync(join(project.workspace, 'AGENTS.md'))).toBe(true);
    expect(inside(project, 'cat AGENTS.md').status).not.toBe(0);
  });

  test('is not fooled by a link, and a link to an approved file works', () => {
    using project = new Project();
    project.write('docs/guide.md', 'guide');
    symlinkSync('docs/guide.md', join(project.workspace, 'CLAUDE.md'));
    symlinkSync('CLAUDE.md', join(project.workspace, 'AGENTS.md'));
    expect(inside(project, 'cat CLAUDE.md || cat AGENTS.md').stdout).toBe('');
    approve(project, ['CLAUDE.md', 'AGENTS.md']);
    expect(inside(project, 'cat CLAUDE.md AGENTS.md docs/guide.md').stdout).toBe('guideguideguide');
  });
});

test('a staged box is treated the same', () => {
  using project = poisoned();
  approve(project, ['CLAUDE.md', '.claude/skills/a/SKILL.md']);
  expect(project.inside(showAll, ['--staged']).stdout.trim().split(/\n+/u)).toEqual([
    'none',
    'obey',
    'none',
    'skill',
    'none',
    'example',
    'code',
  ]);
});

describe('a run', () => {
  test('names the withheld files, and the way to approve them', () => {
    using project = poisoned();
    const { stderr, status } = project.inside('true');
    expect(status).toBe(0);
    expect(stderr).toBe(
      'holdfast: withheld until you approve it: .claude, .mcp.json, CLAUDE.md. Programs load it by themselves; look with `holdfast trust diff`, approve with `holdfast trust add`\n',
    );
  });

  test('names the withheld file that its command misses, and no rule of the policy', () => {
    using project = poisoned();
    expect(project.inside('cat CLAUDE.md').stderr).toContain(
      'CLAUDE.md is withheld: programs load it automatically, and nobody has approved its current content (trust, built-in); look at it with `holdfast trust diff`, and approve it with `holdfast trust add "CLAUDE.md"`',
    );
  });

  test('names files that were approved as another kind', () => {
    using project = poisoned();
    approve(project, ['.mcp.json', 'CLAUDE.md', '.claude/settings.json']);
    project.write('CLAUDE.md', 'obey me');
    expect(project.inside('true').stderr).toContain('until you approve it: CLAUDE.md (changed).');
  });

  test('is refused in CI, and nothing has run', () => {
    using project = poisoned();
    const { stderr, status } = project.holdfast(['run', '--', 'touch', 'ran'], { environment: { CI: 'true' } });
    expect([status, existsSync(join(project.workspace, 'ran'))]).toEqual([125, false]);
    expect(stderr).toContain('[HF_TRUST_REQUIRED]');
  });

  test('in CI needs no approval if nothing needs one, or all is approved', () => {
    using clean = new Project();
    expect(clean.holdfast(['run', '--', 'true'], { environment: { CI: 'true' } })).toMatchObject({
      status: 0,
      stderr: '',
    });
    using project = new Project();
    project.write('CLAUDE.md', 'x');
    approve(project, ['CLAUDE.md']);
    expect(project.holdfast(['run', '--', 'cat', 'CLAUDE.md'], { environment: { CI: 'true' } })).toMatchObject({
      status: 0,
      stdout: 'x',
      stderr: '',
    });
  });

  test('no variable approves anything', () => {
    using project = poisoned();
    for (const name of ['HOLDFAST_TRUST', 'HOLDFAST_APPROVE', 'NODE_ENV', 'TRUST', 'HOLDFAST_TEST']) {
      expect(
        project.holdfast(['run', '--', 'cat', 'CLAUDE.md'], {
          environment: { [name]: name === 'NODE_ENV' ? 'test' : '1' },
        }).stdout,
      ).toBe('');
    }
  });

  test('stops at an unreliable record', () => {
    using project = poisoned();
    approve(project, ['CLAUDE.md']);
    const name = createHash('sha256').update(project.workspace).digest('hex').slice(0, 32);
    project.write(join(project.state, 'trust', `${name}.json`), '{"version":1}');
    expect(project.inside('true')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('[HF_TRUST_INVALID]'),
    });
  });
});

describe('rules of the policy', () => {
  const rule = (lines: string): string => `version = 1\n[[trust]]\nname = "r"\n${lines}\n`;

  test('approve by hash, and nothing else', () => {
    using project = poisoned();
    const sha256 = createHash('sha256').update('obey').digest('hex');
    project.write(
      '../home/.config/holdfast/policy.toml',
      rule(`decision = "allow"\npaths = ["CLAUDE.md"]\nsha256 = ["${sha256}"]`),
    );
    expect(project.inside('cat CLAUDE.md').stdout).toBe('obey');
    project.write('CLAUDE.md', 'changed');
    expect(project.inside('cat CLAUDE.md').stdout).toBe('');
  });

  test('deny an approved file', () => {
    using project = poisoned();
    approve(project, ['CLAUDE.md', '.mcp.json']);
    project.write('../home/.config/holdfast/policy.toml', rule('decision = "deny"\npaths = ["**/CLAUDE.md"]'));
    expect(project.inside('cat .mcp.json CLAUDE.md').stdout).toBe('{"mcpServers":{}}');
  });

  test('of a project approve nothing', () => {
    using project = poisoned();
    project.write('holdfast.toml', rule('decision = "allow"\npaths = ["**"]'));
    expect(project.inside('cat CLAUDE.md').stdout).toBe('');
  });
});

test('approvals and revocations between a sandbox’s commands apply to the next', async () => {
  using project = poisoned();
  await using sandbox = await Sandbox.create({ workspace: project.workspace, environment: project.libraryEnvironment });
  const read = async (): Promise<string> => (await sandbox.commands.run(['cat', 'CLAUDE.md'])).stdout.toString();
  expect(await read()).toBe('');
  approve(project, ['CLAUDE.md']);
  expect(await read()).toBe('obey');
  project.write('CLAUDE.md', 'swapped');
  expect(await read()).toBe('');
  project.write('CLAUDE.md', 'obey');
  expect(await read()).toBe('obey');
  revokeApprovals(pathsOf(project), { workspace: project.workspace, revoked: () => true, journal: () => undefined });
  expect(await read()).toBe('');
});
