import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HookedProject } from '../lib/hooked.ts';
import { Project } from '../lib/holdfast.ts';

type Agent = 'claude' | 'codex' | 'gemini' | 'opencode';
type Told = 'allowed' | 'refused' | 'in the box';

/** One call before a tool, in each agent's own form. */
function callOf(agent: Agent, cwd: string, [tool, input]: readonly [string, object]): object {
  if (agent === 'opencode') return { event: 'tool.execute.before', tool, args: input, directory: cwd };
  return {
    session_id: 's',
    transcript_path: '/t',
    cwd,
    hook_event_name: agent === 'gemini' ? 'BeforeTool' : 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    a_field_of_tomorrow: 1,
  };
}

interface Reply {
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
    readonly updatedInput?: Input;
    readonly tool_input?: Input;
    readonly updatedToolOutput?: unknown;
  };
  readonly decision?: string;
  readonly reason?: string;
  readonly args?: Input;
  readonly output?: string;
}
type Input = Readonly<Record<string, string>>;

/** The server answers as a separate process does: see hook-served.test.ts. */
function ask(project: HookedProject, agent: Agent, message: unknown) {
  const { status, stdout, stderr, by } = project.hook(agent, message);
  expect(by).toBe('server');
  return { status, stderr, reply: (stdout === '' ? {} : JSON.parse(stdout)) as Reply };
}

function told({ status, reply }: ReturnType<typeof ask>): Told {
  const specific = reply.hookSpecificOutput;
  if (status === 2 || specific?.permissionDecision === 'deny' || reply.decision === 'deny') return 'refused';
  expect(status).toBe(0);
  return (specific?.updatedInput ?? specific?.tool_input ?? reply.args) === undefined ? 'allowed' : 'in the box';
}

/** Shared by all tests of one group. */
function served(): { readonly project: HookedProject } {
  let project: HookedProject | undefined;
  beforeAll(() => void (project = HookedProject.serve()));
  afterAll(() => project?.[Symbol.dispose]());
  return {
    get project() {
      if (project === undefined) throw new Error('not started');
      return project;
    },
  };
}

const shell: Readonly<Record<Agent, string>> = {
  claude: 'Bash',
  codex: 'Bash',
  gemini: 'run_shell_command',
  opencode: 'bash',
};
const agents = Object.keys(shell) as readonly Agent[];

describe.each(agents)('a hook of %s', (agent) => {
  const patch = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
  const file = (path: string): readonly [string, object] =>
    (
      ({
        claude: ['Write', { file_path: path, content: 'x' }],
        codex: ['apply_patch', { command: patch(path) }],
        gemini: ['write_file', { file_path: path, content: 'x' }],
        opencode: ['write', { filePath: path, content: 'x' }],
      }) as const
    )[agent];

  const place = served();

  test('runs a command in the box, and refuses one that the box would refuse', () => {
    const { project } = place;
    mkdirSync(join(project.home, '.ssh'));
    writeFileSync(join(project.home, '.ssh/id_rsa'), 'SECRET');
    const command = (text: string) =>
      ask(project, agent, callOf(agent, project.workspace, [shell[agent], { command: text }]));
    expect(told(command('rm -rf ~'))).toBe('refused');
    expect(told(command('cat ~/.ssh/id_rsa'))).toBe('refused');
    expect(told(command('curl https://unlisted.example/x'))).toBe('refused');
    const answer = command(`echo "it's" > made; cat "$HOME"/.ss?/id_rsa made`);
    expect(told(answer)).toBe('in the box');
    const input =
      answer.reply.hookSpecificOutput?.updatedInput ?? answer.reply.hookSpecificOutput?.tool_input ?? answer.reply.args;
    const ran = project.outside('bash', ['-c', input?.['command'] ?? 'exit 9']);
    expect(ran.stdout).toBe("it's\n");
    expect(ran.stdout + ran.stderr).not.toContain('SECRET');
    expect(
      told(
        ask(project, agent, callOf(agent, project.workspace, [shell[agent], { command: input?.['command'] ?? '' }])),
      ),
    ).toBe('in the box');
  });

  test('judges files by their real paths', () => {
    const { project } = place;
    mkdirSync(join(project.home, 'other'));
    symlinkSync(join(project.home, 'other'), join(project.workspace, 'link'));
    symlinkSync(join(project.home, 'new'), join(project.workspace, 'dangling'));
    const write = (path: string): Told => told(ask(project, agent, callOf(agent, project.workspace, file(path))));
    expect(write('ordinary')).toBe('allowed');
    expect(write(join(project.workspace, 'deep/ordinary'))).toBe('allowed');
    for (const path of [
      'link/x',
      'dangling',
      '../home/x',
      join(project.home, '.bashrc'),
      '.git/hooks/pre-commit',
      '.claude/settings.json',
      '/etc/passwd',
    ])
      expect(write(path), path).toBe('refused');
  });

  test('refuses unknown tools', () => {
    const { project } = place;
    const ways = [
      '',
      'nonsense',
      '[]',
      'null',
      '{}',
      '{"hook_event_name":"PreToolUse"}',
      { hook_event_name: 'Tomorrow', cwd: project.workspace, tool_name: 'Bash', tool_input: {} },
      callOf(agent, project.workspace, ['Tomorrow', {}]),
      callOf(agent, project.workspace, ['__proto__', {}]),
      callOf(agent, project.workspace, ['constructor', {}]),
    ];
    const calls: readonly (readonly [string, object])[] = [
      [shell[agent], { command: 'ls', tomorrow: true }],
      [shell[agent], {}],
      [shell[agent], { command: 7 }],
      [shell[agent], { command: 'a\0b' }],
      [shell[agent], { command: '\ud800' }],
    ];
    for (const message of [
      ...ways,
      ...calls.map((call) => callOf(agent, project.workspace, call)),
      callOf(agent, 'relative', [shell[agent], { command: 'ls' }]),
    ])
      expect(told(ask(project, agent, message)), JSON.stringify(message)).toBe('refused');
  });

  test('refuses everything under a broken policy', () => {
    const { project } = place;
    const file = project.write('../home/.config/holdfast/policy.toml', 'version = 1\nnonsense = true\n');
    const answer = told(ask(project, agent, callOf(agent, project.workspace, [shell[agent], { command: 'ls' }])));
    rmSync(file);
    expect(answer).toBe('refused');
  });
});

describe('results', () => {
  const place = served();
  const hidden = 'a\u200bb\u{e0041}';
  test.each(agents)('results of %s come without hidden characters', (agent) => {
    const { project } = place;
    const after = (result: string): object =>
      agent === 'opencode'
        ? { event: 'tool.execute.after', tool: 'read', args: {}, output: result, directory: project.workspace }
        : {
            hook_event_name: agent === 'gemini' ? 'AfterTool' : 'PostToolUse',
            cwd: project.workspace,
            tool_name: 'x',
            tool_input: {},
            tool_response: agent === 'gemini' ? { llmContent: result } : result,
          };
    const { reply, status } = ask(project, agent, after(hidden));
    const shown = [reply.hookSpecificOutput?.updatedToolOutput, reply.reason, reply.output].join('');
    expect(status).toBe(0);
    expect(shown).toContain('⟦U+200B⟧');
    expect(shown).not.toMatch(/[\u200b\u{e0041}]/u);
    expect(JSON.stringify(ask(project, agent, after('plain')).reply)).not.toContain('plain');
  });
});

describe('one policy', () => {
  const place = served();

  test.each(['claude', 'codex'] as const)('a question of %s to a person is only ever answered with no', (agent) => {
    const { project } = place;
    mkdirSync(join(project.home, '.ssh'), { recursive: true });
    const asked = (command: string): unknown => {
      const call = callOf(agent, project.workspace, ['Bash', { command }]);
      const { status, reply } = ask(project, agent, { ...call, hook_event_name: 'PermissionRequest' });
      expect(status).toBe(0);
      return reply;
    };
    expect(asked('cat ~/.ssh/id_rsa')).toMatchObject({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny' } },
    });
    expect(asked('echo hello')).toEqual({});
  });

  test('a rule that asks makes Claude Code ask, and the command still runs in the box', () => {
    const { project } = place;
    project.write('../home/.config/holdfast/policy.toml', 'version = 1\n[commands]\nask = ["git push"]\n');
    const { reply } = ask(project, 'claude', callOf('claude', project.workspace, ['Bash', { command: 'git push' }]));
    expect(reply.hookSpecificOutput?.permissionDecision, JSON.stringify(reply)).toBe('ask');
    expect(reply.hookSpecificOutput?.updatedInput?.['command']).toContain("'run' '--no-prompt'");
  });

  // Codex passes the model's chosen directory as cwd, and starts its hooks in its own start directory.
  test.each<[Agent, (project: Project) => NodeJS.ProcessEnv]>([
    ['claude', ({ workspace }) => ({ CLAUDE_PROJECT_DIR: workspace })],
    ['codex', () => ({ PWD: '/' })],
    ['gemini', ({ workspace }) => ({ GEMINI_PROJECT_DIR: workspace })],
  ])('the workspace is the project’s, in any directory of the agent: %s', (agent, environment) => {
    const { project } = place;
    using other = new Project();
    const call = callOf(agent, other.workspace, [shell[agent], { command: 'ls' }]);
    const alone = project.holdfast(['hook', agent], { input: JSON.stringify(call), environment: environment(project) });
    for (const { stdout } of [alone, project.hook(agent, call, { environment: environment(project) })]) {
      expect(stdout).toContain(`'--workspace' '${project.workspace}'`);
      expect(stdout).not.toContain(other.workspace);
    }
  });
});
