import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../src/audit/index.ts';
import { binary, has, Project } from './lib/holdfast.ts';

if (!has('expect'))
  console.warn('SKIPPED: trust at a terminal, because expect is not installed (Debian: apt-get install expect)');

interface Typed {
  readonly words: string;
  /** The key that the user presses a moment after the request. */
  readonly keys: string;
  /** A shell script that runs during the request. Default: nothing. */
  readonly meanwhile?: string;
}

/** Returns the terminal's output, and the exit status. */
function atTerminal(
  project: Project,
  { words, keys, meanwhile = ':' }: Typed,
): { readonly shown: string; readonly status: number | null } {
  const script = String.raw`
    set timeout 20
    spawn -noecho ${binary} ${words}
    expect {
      -re {then Enter: $} { }
      timeout { close; exit 99 }
    }
    exec sh -c {${meanwhile}}
    sleep 1
    send -- "${keys}"
    expect {
      eof { }
      timeout { close; exit 98 }
    }
    exit [lindex [wait] 3]`;
  const { stdout, status } = spawnSync('expect', ['-c', script], {
    cwd: project.workspace,
    env: { ...project.environment, TERM: 'xterm' },
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  return { shown: stdout.replaceAll('\r', ''), status };
}

function repository(): Project {
  const project = new Project();
  project.write('.mcp.json', '{"mcpServers":{"docs":{"command":"docs-server"}}}');
  project.write('AGENTS.md', '# Be nice\n');
  return project;
}

const approved = (project: Project): readonly string[] => {
  const { entries } = JSON.parse(project.holdfast(['trust', 'list', '--json']).stdout) as {
    readonly entries: readonly { readonly path: string; readonly level: string }[];
  };
  return entries.map(({ path, level }) => `${level} ${path}`);
};

describe.skipIf(!has('expect'))('holdfast trust add at a terminal', { timeout: 90_000 }, () => {
  test.each([
    [String.raw`a\r`, 0, ['always .mcp.json', 'always AGENTS.md']],
    [String.raw`s\r`, 0, ['session .mcp.json', 'session AGENTS.md']],
    [String.raw`n\r`, 1, []],
    [String.raw`\003`, 1, []],
  ])('shows everything in one request, and records the answer: %j', (keys, status, kept) => {
    using project = repository();
    const ended = atTerminal(project, { words: 'trust add .mcp.json AGENTS.md', keys });
    expect(ended).toMatchObject({
      status,
      shown: expect.stringMatching(
        /approve 2 files of [\s\S]*mcpServers\.docs\.command = docs-server[\s\S]*Be nice/u,
      ) as unknown,
    });
    expect(approved(project)).toEqual(kept);
    expect(
      readEvents(join(project.state, 'journal.jsonl')).filter(({ type }) => type === 'trust.decided'),
    ).toHaveLength(kept.length === 0 ? 0 : 1);
  });

  test('records nothing for a file that changed during the question', () => {
    using project = repository();
    const { shown, status } = atTerminal(project, {
      words: 'trust add AGENTS.md',
      keys: String.raw`a\r`,
      meanwhile: 'printf evil > AGENTS.md',
    });
    expect([status, shown]).toEqual([
      125,
      expect.stringContaining('has changed since you saw it: nothing was approved'),
    ]);
    expect(approved(project)).toEqual([]);
  });
});

test('a box can neither approve nor see approvals', () => {
  using project = repository();
  for (const verb of ['add', 'status', 'list', 'remove --all', 'keys list']) {
    const { stderr, status } = project.inside(`${binary} trust ${verb}`);
    expect([verb, status, stderr]).toEqual([
      verb,
      125,
      expect.stringContaining('this command does not work inside a box'),
    ]);
  }
  expect(project.inside(`ls ${project.state}`).status).not.toBe(0);
});

test('a command sees approved files from then on, and revoked files no more', () => {
  using project = repository();
  const seen = (): string => project.inside('cat AGENTS.md 2>/dev/null || echo none').stdout.trim();
  expect(seen()).toBe('none');
  project.write('../seen.json', project.holdfast(['trust', 'status', '--json']).stdout);
  expect(project.holdfast(['trust', 'add', '--yes', '--from', '../seen.json']).status).toBe(0);
  expect(seen()).toBe('# Be nice');
  expect(project.holdfast(['trust', 'remove', 'AGENTS.md']).status).toBe(0);
  expect(seen()).toBe('none');
});

test('a dangling link in the status does not prevent approving the rest', () => {
  using project = repository();
  project.outside('ln', ['-s', 'nowhere', '.codex']);
  project.write('../seen.json', project.holdfast(['trust', 'status', '--json']).stdout);
  const { status, stderr } = project.holdfast(['trust', 'add', '--yes', '--from', '../seen.json']);
  expect([status, stderr]).toEqual([1, expect.stringContaining('.codex stays unapproved')]);
  expect(approved(project)).toContain('always AGENTS.md');
});
