import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { plant, scratchDirectory } from '../../place/testing/scratch.ts';
import { type AgentName, agentNames } from '../hooks/types.ts';
import { agentSettings, type SettingsScope } from './agent-settings.ts';
import { type InitOptions, makeInstall, makeUndo, planInstall, planUndo } from './plan-change.ts';

interface Scene {
  readonly root: string;
  readonly options: InitOptions;
  /** Every path below home and workspace, with its content. */
  readonly look: () => Readonly<Record<string, string>>;
}

function sceneOf(agent: AgentName, more: Partial<InitOptions> = {}): Scene {
  const root = scratchDirectory();
  plant(root, { 'home/': '', 'ws/': '' });
  const options: InitOptions = {
    agent,
    scope: 'workspace',
    home: join(root, 'home'),
    workspace: join(root, 'ws'),
    environment: {},
    program: ["/it's/node", '/holdfast.cjs'],
    state: join(root, 'state'),
    ...more,
  };
  const look = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((path) => !path.startsWith('state'))
        .toSorted()
        .map((path) => [
          path,
          statSync(join(root, path)).isFile() ? readFileSync(join(root, path), 'utf8') : 'directory',
        ]),
    );
  return { root, options, look };
}

const install = (options: InitOptions): void => makeInstall(planInstall(options));
const undo = (options: InitOptions): void => makeUndo(planUndo(options));

/** The paths where each agent documents its settings. */
const places: Readonly<Record<AgentName, Readonly<Record<SettingsScope, string>>>> = {
  claude: { workspace: 'ws/.claude/settings.local.json', user: 'home/.claude/settings.json' },
  codex: { workspace: 'ws/.codex/hooks.json', user: 'home/.codex/hooks.json' },
  gemini: { workspace: 'ws/.gemini/settings.json', user: 'home/.gemini/settings.json' },
  opencode: { workspace: 'ws/.opencode/plugin/holdfast.js', user: 'home/.config/opencode/plugin/holdfast.js' },
};

const events: Readonly<Record<Exclude<AgentName, 'opencode'>, readonly string[]>> = {
  claude: ['PreToolUse', 'PermissionRequest', 'PostToolUse'],
  codex: ['PreToolUse', 'PermissionRequest', 'PostToolUse'],
  gemini: ['BeforeTool', 'AfterTool'],
};

describe.each(agentNames)('%s', (agent) => {
  test.each(['workspace', 'user'] as const)(
    'for the %s: the documented file, once, and undo leaves nothing',
    (scope) => {
      const { options, look } = sceneOf(agent, { scope });
      const before = look();
      install(options);
      const file = places[agent][scope];
      const after = look();
      expect(Object.keys(after).filter((path) => after[path] !== 'directory')).toEqual([file]);
      if (agent !== 'opencode') {
        const { hooks } = JSON.parse(after[file] ?? '') as {
          readonly hooks: Readonly<Record<string, readonly [{ readonly hooks: readonly [object] }]>>;
        };
        expect(Object.keys(hooks)).toEqual(events[agent]);
        // If the program fails, the tool must not run: any exit status but 2 would let it.
        for (const [group] of Object.values(hooks))
          expect(group.hooks[0]).toMatchObject({
            type: 'command',
            command: `'/it'\\''s/node' '/holdfast.cjs' hook ${agent} || exit 2`,
            timeout: agent === 'gemini' ? 60_000 : 60,
            ...(agent === 'claude' ? { onFailure: 'block' } : {}),
          });
      }
      expect(planInstall(options)).toMatchObject({ before: after[file], after: after[file] });
      install(options);
      expect(look()).toEqual(after);
      undo(options);
      expect(look()).toEqual(before);
      expect(readdirSync(join(options.state, 'agents'))).toEqual([]);
    },
  );

  test('a newer version replaces an older one, and undo restores the file before both', () => {
    const { root, options, look } = sceneOf(agent);
    if (agent !== 'opencode') plant(root, { [places[agent].workspace]: '{ "mine": 1 }' });
    const before = look();
    install(options);
    install({ ...options, program: ['/newer'] });
    const text = look()[places[agent].workspace] ?? '';
    expect(text).toContain('/newer');
    expect(text).not.toContain('/holdfast.cjs');
    undo(options);
    expect(look()).toEqual(before);
  });

  test('undo without an installation, or a second one, is refused', () => {
    const { options } = sceneOf(agent);
    expect(() => planUndo(options)).toThrow(
      expect.objectContaining({
        code: 'HF_AGENT_SETTINGS',
        message: expect.stringContaining('Holdfast installed nothing'),
      }),
    );
    install(options);
    undo(options);
    expect(() => planUndo(options)).toThrow(expect.objectContaining({ code: 'HF_AGENT_SETTINGS' }));
  });

  test('undo where the file is gone already leaves nothing of ours', () => {
    const { root, options, look } = sceneOf(agent);
    const before = look();
    install(options);
    rmSync(join(root, places[agent].workspace));
    undo(options);
    expect(look()).toEqual(before);
  });

  test('a file that is not readable text is left alone', () => {
    const { root, options } = sceneOf(agent);
    const file = join(root, places[agent].workspace);
    plant(root, { [`${places[agent].workspace}/`]: '' });
    expect(() => planInstall(options)).toThrow(
      expect.objectContaining({
        code: 'HF_AGENT_SETTINGS',
        message: expect.stringContaining(`${file} cannot be changed: it is not a file`),
      }),
    );
    rmSync(file, { recursive: true });
    writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => planInstall(options)).toThrow(
      expect.objectContaining({ code: 'HF_AGENT_SETTINGS', message: expect.stringContaining('it is not UTF-8') }),
    );
    expect(readFileSync(file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]));
  });
});

describe('the places that variables name', () => {
  test.each<[AgentName, string, string]>([
    ['claude', 'CLAUDE_CONFIG_DIR', 'elsewhere/settings.json'],
    ['codex', 'CODEX_HOME', 'elsewhere/hooks.json'],
    ['gemini', 'GEMINI_CLI_HOME', 'elsewhere/.gemini/settings.json'],
    ['opencode', 'XDG_CONFIG_HOME', 'elsewhere/opencode/plugin/holdfast.js'],
  ])('%s: %s', (agent, variable, file) => {
    const { root, options } = sceneOf(agent, { scope: 'user' });
    install({ ...options, environment: { [variable]: join(root, 'elsewhere') } });
    expect(existsSync(join(root, file))).toBe(true);
    expect(existsSync(join(root, places[agent].user))).toBe(false);
    // An empty variable counts as unset.
    install({ ...options, environment: { [variable]: '' } });
    expect(existsSync(join(root, places[agent].user))).toBe(true);
  });
});

test('the default place is one that the agent accepts without a question', () => {
  expect(agentNames.map((agent) => agentSettings[agent].scope)).toEqual(['workspace', 'user', 'user', 'workspace']);
});

test.each<[AgentName, string, string]>([
  ['claude', '{ "disableAllHooks": true }', 'disableAllHooks'],
  ['gemini', '{ "hooksConfig": { "enabled": false } }', 'hooksConfig.enabled'],
  ['gemini', '{ "hooksConfig": { "disabled": ["other", "holdfast"] } }', 'hooksConfig.disabled'],
])('settings of %s in which hooks are turned off are not taken for some that hold it: %s', (agent, given, member) => {
  const { root, options, look } = sceneOf(agent);
  const file = places[agent].workspace;
  plant(root, { [file]: given });
  expect(() => planInstall(options)).toThrow(
    expect.objectContaining({
      code: 'HF_AGENT_SETTINGS',
      message: `${join(root, file)} cannot be changed: ${member} turns hooks off in it`,
    }),
  );
  plant(root, {
    [file]: given
      .replace('s": true', 's": false')
      .replace('"enabled": false', '"enabled": true')
      .replace('"holdfast"', '"more"'),
  });
  install(options);
  // Hooks were turned off since. Our entries can still be removed.
  writeFileSync(
    join(root, file),
    (look()[file] ?? '')
      .replace('s": false', 's": true')
      .replace('"enabled": true', '"enabled": false')
      .replace('"more"', '"holdfast"'),
  );
  expect(() => planInstall(options)).toThrow(`${member} turns hooks off`);
  undo(options);
  expect(look()[file]).not.toContain('/holdfast.cjs');
});

describe('user settings', () => {
  const given =
    '// mine\n{\n  "model": "opus", // the best\n  "hooks": { "PreToolUse": [{ "hooks": [{ "type": "command", "command": "lint" }] }] },\n}\n';
  const file = places.claude.workspace;

  test('come back to the byte, with their mode', () => {
    const { root, options, look } = sceneOf('claude');
    plant(root, { [file]: given });
    chmodSync(join(root, file), 0o640);
    install(options);
    expect(look()[file]).toContain('// the best');
    expect(look()[file]).toContain('"lint"');
    expect(statSync(join(root, file)).mode & 0o777).toBe(0o640);
    undo(options);
    expect(look()[file]).toBe(given);
    expect(statSync(join(root, file)).mode & 0o777).toBe(0o640);
  });

  test('that have changed since lose Holdfast, and keep the change', () => {
    const { root, options, look } = sceneOf('claude');
    plant(root, { [file]: given });
    install(options);
    writeFileSync(join(root, file), (look()[file] ?? '').replace('"opus"', '"haiku"'));
    expect(planUndo(options).since).toBe('changed');
    undo(options);
    expect(look()[file]).toContain('"haiku", // the best');
    expect(look()[file]).toContain('"lint"');
    expect(look()[file]).not.toContain('holdfast');
  });

  test('that have changed between two installations come back as they were before the second', () => {
    const { root, options, look } = sceneOf('claude');
    install(options);
    plant(root, { [file]: given });
    install(options);
    expect(planUndo(options).since).toBe('unchanged');
    undo(options);
    expect(look()[file]).toBe(given);
  });

  test('that are broken are named, and stay', () => {
    const { root, options, look } = sceneOf('claude');
    plant(root, { [file]: '{\n  "model": \n}' });
    const before = look();
    expect(() => install(options)).toThrow(
      expect.objectContaining({
        code: 'HF_AGENT_SETTINGS',
        message: `${join(root, file)} cannot be changed: line 3: ValueExpected`,
      }),
    );
    expect(look()).toEqual(before);
  });

  test('behind a link are changed where they are, and the link stays one', () => {
    const { root, options } = sceneOf('claude');
    plant(root, { 'dotfiles/claude.json': given, 'ws/.claude/': '' });
    symlinkSync('../../dotfiles/claude.json', join(root, file));
    install(options);
    expect(lstatSync(join(root, file)).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(root, 'dotfiles/claude.json'), 'utf8')).toContain('holdfast');
    undo(options);
    expect(readFileSync(join(root, 'dotfiles/claude.json'), 'utf8')).toBe(given);
    expect(lstatSync(join(root, file)).isSymbolicLink()).toBe(true);
  });

  test('beside which something else was made keep their directory', () => {
    const { root, options, look } = sceneOf('claude');
    install(options);
    plant(root, { 'ws/.claude/skills/one.md': 'x' });
    undo(options);
    expect(Object.keys(look())).toEqual(['home', 'ws', 'ws/.claude', 'ws/.claude/skills', 'ws/.claude/skills/one.md']);
  });

  test('are not lost where the second of two writes fails', () => {
    const { root, options, look } = sceneOf('claude');
    plant(root, { [file]: given });
    const inTheWay = join(root, 'ws/.claude', `.holdfast-${process.pid}.tmp`);
    mkdirSync(inTheWay);
    expect(() => install(options)).toThrow(
      expect.objectContaining({
        code: 'HF_AGENT_SETTINGS',
        message: expect.stringContaining('cannot be written: EEXIST'),
      }),
    );
    expect(look()[file]).toBe(given);
    rmSync(inTheWay, { recursive: true });
    undo(options);
    expect(look()[file]).toBe(given);
  });

  test('are readable by their owner only when new; existing ones keep their mode', () => {
    const { root, options } = sceneOf('claude');
    install(options);
    const [record = ''] = readdirSync(join(options.state, 'agents'));
    expect(
      [join(root, file), join(options.state, 'agents', record)].map((path) => statSync(path).mode & 0o777),
    ).toEqual([0o600, 0o600]);
    expect(statSync(join(options.state, 'agents')).mode & 0o777).toBe(0o700);
  });

  test('that someone changes before the change is made are left alone', () => {
    const { root, options, look } = sceneOf('claude');
    const changes = [() => makeInstall(planned), () => makeUndo(undone)];
    plant(root, { [file]: given });
    const planned = planInstall(options);
    install(options);
    const undone = planUndo(options);
    const meanwhile = given.replace('opus', 'haiku');
    writeFileSync(join(root, file), meanwhile);
    for (const change of changes)
      expect(change).toThrow(
        expect.objectContaining({
          code: 'HF_AGENT_SETTINGS',
          message: expect.stringContaining('has changed since it was shown'),
        }),
      );
    rmSync(join(root, file));
    for (const change of changes) expect(change).toThrow('has changed since it was shown');
    expect(look()[file]).toBeUndefined();
    expect(existsSync(undone.record)).toBe(true);
  });

  test('in a place where nothing can be are named', () => {
    const { root, options } = sceneOf('claude');
    const told = (): unknown => {
      try {
        install(options);
      } catch (error) {
        return error;
      }
      return undefined;
    };
    const directory = join(root, 'ws/.claude');
    symlinkSync('.claude', directory);
    expect(told()).toMatchObject({ code: 'HF_AGENT_SETTINGS', message: expect.stringContaining('too many links') });
    rmSync(directory);
    writeFileSync(directory, '');
    expect(told()).toMatchObject({ code: 'HF_AGENT_SETTINGS', message: expect.stringContaining('cannot be') });
    expect(readFileSync(directory, 'utf8')).toBe('');
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '{"v":1}',
    '{"v":1,"file":"/f","before":1,"written":"x","made":[]}',
    '{"v":1,"file":"/f","before":null,"written":"x","made":[1]}',
  ])('whose record is damaged are left alone: %s', (record) => {
    const { options, look } = sceneOf('claude');
    install(options);
    const before = look();
    writeFileSync(planUndo(options).record, record);
    expect(() => planUndo(options)).toThrow(
      expect.objectContaining({
        code: 'HF_AGENT_SETTINGS',
        message: expect.stringContaining('it is damaged'),
        remedy: expect.stringContaining('by hand'),
      }),
    );
    expect(() => install({ ...options, program: ['/newer'] })).toThrow('it is damaged');
    expect(look()).toEqual(before);
  });

  test('whose record is of a later version are left alone', () => {
    const { options } = sceneOf('claude');
    install(options);
    const record = planUndo(options).record;
    writeFileSync(record, readFileSync(record, 'utf8').replace('"v":1', '"v":2'));
    expect(() => planUndo(options)).toThrow(
      expect.objectContaining({ code: 'HF_AGENT_SETTINGS', message: expect.stringContaining('another version') }),
    );
  });
});
