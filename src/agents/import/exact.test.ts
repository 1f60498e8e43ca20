import { parse } from 'smol-toml';
import { stringify } from 'yaml';
import { describe, expect, test } from 'vitest';
import { importPolicy, type ImportSource } from './import-policy.ts';

type Exact = readonly [name: string, given: object | string, policy: object, told?: readonly string[]];

/** Reports that every import of that source contains. */
const always: Readonly<Record<ImportSource, readonly string[]>> = {
  claude: ['permissions none'],
  codex: ['rules none'],
  gemini: ['rule none'],
  agentsh: [],
};

function check(source: ImportSource, [, given, policy, told = []]: Exact): void {
  const text =
    typeof given === 'string'
      ? given
      : source === 'agentsh'
        ? stringify(given, { aliasDuplicateObjects: false })
        : JSON.stringify(given);
  const { policy: made, notCarried } = importPolicy(text, {
    source,
    places: { home: '/home/dev', workspace: '/home/dev/app' },
  });
  expect(parse(made)).toEqual({ version: 1, ...policy });
  expect(notCarried.map(({ at, effect }) => `${at} ${effect}`).toSorted()).toEqual(
    [...always[source], ...told].toSorted(),
  );
}

const askToChange = (...paths: readonly string[]) => ({
  file: [{ name: 'ask-to-change', decision: 'ask', operations: ['write', 'create', 'delete'], paths }],
});
const permissions = (value: object) => ({ permissions: value });

describe('Claude Code, to the line', () => {
  const cases: readonly Exact[] = [
    ['every command refused', permissions({ deny: ['Bash'] }), { commands: { deny: ['*'] } }],
    ['every command refused, with a star', permissions({ deny: ['Bash(*)'] }), { commands: { deny: ['*'] } }],
    ['every command refused, with a colon', permissions({ deny: ['Bash(:*)'] }), { commands: { deny: ['*'] } }],
    ['every command asked about', permissions({ ask: ['Bash'] }), { commands: { ask: ['*'] } }],
    ['every command allowed', permissions({ allow: ['Bash(*)'] }), {}, ['permissions.allow[0] stricter']],
    [
      'programs',
      permissions({
        allow: ['Bash(git:*)', 'Bash(make)', 'Bash(npm run *)', 'Bash(./x:*)'],
        deny: ['Bash(git push:*)'],
      }),
      { commands: { deny: ['git push'] }, exec: [{ name: 'allow-programs', decision: 'allow', commands: ['make'] }] },
      ['permissions.allow[0] stricter', 'permissions.allow[2] stricter', 'permissions.allow[3] stricter'],
    ],
    [
      'variables in front of a program',
      permissions({ deny: ['Bash(A=1 B+=2 rm -r:*)', 'Bash(C=3)'], allow: ['Bash(D=4 make:*)'] }),
      { commands: { ask: ['rm -r', '*'] } },
      ['permissions.deny[0] stricter', 'permissions.deny[1] stricter', 'permissions.allow[0] stricter'],
    ],
    [
      'a program with words that cannot be said',
      permissions({ allow: ['Bash(make $X)'] }),
      {},
      ['permissions.allow[0] stricter'],
    ],
    [
      'blanks at the end of a path',
      permissions({ deny: ['Read(a/b )'], allow: ['Read(~/k )'] }),
      { files: { deny: ['a/b'], read: ['~/k'] } },
    ],
    [
      'all files allowed',
      permissions({ allow: ['Edit', 'Read(**)', 'Read(//**)', 'Read()', 'Edit(//)'] }),
      {},
      [
        'permissions.allow[0] stricter',
        'permissions.allow[1] stricter',
        'permissions.allow[2] stricter',
        'permissions.allow[3] stricter',
        'permissions.allow[4] stricter',
      ],
    ],
    ['all changes refused', permissions({ deny: ['Edit'] }), { files: { protect: ['.'] } }],
    ['all changes refused, with stars', permissions({ deny: ['Write(**)'] }), { files: { protect: ['.'] } }],
    ['all changes asked about', permissions({ ask: ['Write'] }), askToChange('.')],
    [
      'all reading refused',
      permissions({ deny: ['Read'], ask: ['Read(**)'] }),
      {},
      ['permissions.deny[0] looser', 'permissions.ask[0] looser'],
    ],
    [
      'paths',
      permissions({
        deny: [
          'Read(//etc/x)',
          'Read(/secrets/x)',
          'Read(./a/b)',
          'Read(name)',
          'Read(dir/)',
          'Read(dir2/**)',
          'Read(~/x)',
          'Grep(g)',
          'Edit(a/c)',
        ],
      }),
      {
        files: {
          deny: ['/etc/x', 'secrets/x', 'a/b', '**/name', '**/dir', '**/dir2', '~/x', '**/g'],
          protect: ['a/c'],
        },
      },
    ],
    [
      'paths that are allowed',
      permissions({
        allow: ['Read(//srv/x)', 'Read(/y/z)', 'Read(~/k)', 'Edit(~/w)', 'Read(~other/k)', 'Read(a/../b)', 'Read(*.x)'],
      }),
      { files: { read: ['/srv/x', 'y/z', '~/k'], write: ['~/w'] } },
      ['permissions.allow[4] stricter', 'permissions.allow[5] stricter', 'permissions.allow[6] stricter'],
    ],
    [
      'further directories, as ordinary paths',
      permissions({ additionalDirectories: ['../other', '/srv/more', '~/lib'] }),
      { files: { read: ['/srv/more', '~/lib'] } },
      ['permissions.additionalDirectories[0] stricter'],
    ],
    [
      'what takes back another line',
      permissions({ deny: ['Read(!keep)', 'Edit(!a/keep)'] }),
      {},
      ['permissions.deny[0] looser', 'permissions.deny[1] looser'],
    ],
    [
      'pages',
      permissions({
        deny: ['WebFetch', 'WebFetch(domain:a.example)', 'WebFetch(x)'],
        ask: ['WebFetch(domain:c.example)'],
        allow: ['WebFetch(domain:d.example)'],
      }),
      {
        network: { deny: ['a.example'] },
        connect: [{ name: 'ask-to-connect', decision: 'ask', hosts: ['c.example'] }],
      },
      ['permissions.deny[0] none', 'permissions.deny[2] none', 'permissions.allow[0] stricter'],
    ],
    [
      'tools of its own',
      permissions({ deny: ['mcp__a__b', 'Bash(a b', ''], allow: ['mcp__a'], ask: ['Skill'] }),
      {},
      [
        'permissions.deny[0] looser',
        'permissions.deny[1] looser',
        'permissions.deny[2] looser',
        'permissions.allow[0] none',
        'permissions.ask[0] looser',
      ],
    ],
    [
      'the sandbox',
      {
        sandbox: {
          enabled: true,
          network: {
            allowedDomains: ['a.example', '*'],
            deniedDomains: ['c.example'],
            allowUnixSockets: ['/run/a.sock'],
            constructor: ['y'],
          },
          filesystem: {
            allowRead: ['/srv/a', '~/b'],
            allowWrite: ['/srv/w'],
            denyRead: ['/srv/d', './e', 'f/*.g'],
            denyWrite: ['h'],
          },
        },
      },
      {
        files: { read: ['/srv/a', '~/b'], write: ['/srv/w'], deny: ['/srv/d', 'e', '**/f/*.g'], protect: ['h'] },
        network: { hosts: ['a.example'], deny: ['c.example'] },
        sockets: { allow: ['/run/a.sock'] },
      },
      [
        'sandbox.enabled none',
        'sandbox.network.constructor none',
        'sandbox.network.allowedDomains[1] stricter',
        'sandbox.filesystem.denyRead[2] stricter',
      ],
    ],
    // Refusals that a wider list entry covers would make an invalid policy.
    [
      'a question that a refusal answers',
      permissions({
        deny: ['Read(db/**)', 'WebFetch(domain:*.example)'],
        ask: ['Read(db/x)', 'Edit(db/y)', 'WebFetch(domain:a.example)'],
      }),
      { files: { deny: ['**/db'] }, network: { deny: ['*.example'] } },
      ['permissions.ask[0] none', 'permissions.ask[1] none', 'permissions.ask[2] none'],
    ],
  ];
  for (const each of cases) test(each[0], () => check('claude', each));
});

describe('Codex, to the line', () => {
  const cases: readonly Exact[] = [
    [
      'words',
      'prefix_rule(pattern=["git", ["push", "fetch"]], decision="prompt")\nprefix_rule(["rm", "-rf"], decision="forbidden")\nprefix_rule(["make"])\nprefix_rule(["npm", "test"], decision="allow")\n',
      {
        commands: { ask: ['git push', 'git fetch'], deny: ['rm -rf'] },
        exec: [{ name: 'allow-programs', decision: 'allow', commands: ['make'] }],
      },
      ['prefix_rule[3], line 4 stricter'],
    ],
    [
      'words that cannot be said',
      'prefix_rule(["a b"], decision="forbidden")\nprefix_rule(["x", "--", "y"], decision="deny")',
      { commands: { ask: ['*', 'x'] } },
      ['prefix_rule[0], line 1 stricter', 'prefix_rule[1], line 2 stricter'],
    ],
    [
      'arguments by their places',
      'prefix_rule(["rm"], "forbidden")\nprefix_rule(["git"], "prompt", [["git", "push"]], [["ls"]], "because")\nprefix_rule(["make"], None)\nnetwork_rule("a.example", "https", "deny", "because")\nnetwork_rule("b.example", "https", "allow")',
      {
        commands: { ask: ['git'], deny: ['rm'] },
        exec: [{ name: 'allow-programs', decision: 'allow', commands: ['make'] }],
        network: { hosts: ['b.example:443'], deny: ['a.example'] },
      },
    ],
    [
      'a permission with more than is known is none',
      'prefix_rule(["a"], tomorrow=1)\nprefix_rule(["b"], "allow", [], [], "", 1)\nnetwork_rule("c.example", "https", "allow", only="x")',
      {},
      ['prefix_rule[0], line 1 stricter', 'prefix_rule[1], line 2 stricter', 'network_rule[2], line 3 stricter'],
    ],
    [
      'what is not known',
      'prefix_rule(["z"], decision="prompt", tomorrow=1)\nprefix_rule(["y"], "prompt", [], [], "", 1)\nhost_executable(name="x")\nother_rule()',
      { commands: { ask: ['z', 'y'] } },
      [
        'prefix_rule[0], line 1 looser',
        'prefix_rule[1], line 2 looser',
        'host_executable[2], line 3 none',
        'other_rule[3], line 4 looser',
      ],
    ],
    [
      'hosts',
      'network_rule(host="a.example", protocol="https", decision="allow")\nnetwork_rule(host="b.example", protocol="http", decision="allow")\nnetwork_rule(host="c.example", protocol="socks5", decision="allow")\nnetwork_rule(host="d.example", decision="deny")\nnetwork_rule(host="e.example", decision="prompt")',
      {
        network: { hosts: ['a.example:443', 'b.example:80'], deny: ['d.example'] },
        connect: [{ name: 'ask-to-connect', decision: 'ask', hosts: ['e.example'] }],
      },
      ['network_rule[2], line 3 stricter'],
    ],
  ];
  for (const each of cases) test(each[0], () => check('codex', each));

  test.each([
    'prefix_rule(pattern=[])',
    'prefix_rule(pattern=[[]])',
    'prefix_rule(pattern=["a", 1])',
    'prefix_rule(pattern="a")',
    'prefix_rule(["a"], decision=1)',
    'prefix_rule(["a"], pattern=["b"])',
    'prefix_rule(["a"], "allow", decision="forbidden")',
    'prefix_rule(["a"], ["b"])',
    'network_rule("a", "https", "maybe")',
    'network_rule(host=1)',
    'network_rule("a", host="b")',
    'prefix_rule(["a" "b"])',
    String.raw`prefix_rule(["\q"])`,
    'prefix_rule(["a"], decision="allow", decision="deny")',
  ])('%s is an error', (text) => {
    expect(() => importPolicy(text, { source: 'codex', places: { home: '/h', workspace: '/h/w' } })).toThrow(
      expect.objectContaining({ code: 'HF_POLICY_INVALID' }),
    );
  });
});

describe('Gemini CLI, to the line', () => {
  const rules = (...each: readonly Readonly<Record<string, unknown>>[]) =>
    each
      .map(
        (rule) =>
          `[[rule]]\n${Object.entries(rule)
            .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
            .join('')}`,
      )
      .join('');
  const shell = { toolName: 'run_shell_command' };
  const cases: readonly Exact[] = [
    [
      'commands',
      rules(
        { ...shell, commandPrefix: ['rm -rf', 'sudo'], decision: 'deny' },
        { ...shell, commandPrefix: 'git', decision: 'ask_user' },
        { ...shell, commandPrefix: 'ls', decision: 'allow' },
        { ...shell, commandPrefix: 'la', decision: 'allow', modes: ['yolo'] },
      ),
      {
        commands: { ask: ['git'], deny: ['rm -rf', 'sudo'] },
        exec: [{ name: 'allow-programs', decision: 'allow', commands: ['ls'] }],
      },
      ['rule[3] stricter'],
    ],
    [
      'a permission for some arguments',
      rules({ ...shell, commandPrefix: 'ls', argsPattern: 'x', decision: 'allow' }),
      {},
      ['rule[0] stricter', 'rule[0] stricter'],
    ],
    [
      'a permission for some sessions',
      rules({ ...shell, commandPrefix: 'ls', interactive: true, decision: 'allow' }),
      {},
      ['rule[0] stricter'],
    ],
    [
      'a refusal of some arguments',
      rules({ ...shell, commandPrefix: 'rm', argsPattern: 'x', decision: 'deny' }),
      { commands: { ask: ['rm'] } },
      ['rule[0] stricter', 'rule[0] stricter'],
    ],
    [
      'commands under the name of another tool',
      rules({ toolName: 'other', commandPrefix: 'rm', decision: 'deny' }),
      { commands: { deny: ['rm'] } },
      ['rule[0] looser'],
    ],
    [
      'some writing',
      rules({ toolName: 'write_file', argsPattern: 'x', decision: 'deny' }),
      {},
      ['rule[0] stricter', 'rule[0] looser'],
    ],
    ['every command', rules({ ...shell, decision: 'deny' }), { commands: { deny: ['*'] } }],
    [
      'expressions',
      rules({ ...shell, commandRegex: 'git push.*--force', decision: 'deny' }),
      { commands: { ask: ['git'] } },
      ['rule[0] stricter'],
    ],
    // An expression matches from the start of a command, and its end stays open.
    ...(
      [
        ['rm +-rf', 'rm'],
        ['git +push', 'git'],
        ['rm', 'rm*'],
        ['git push', 'git push*'],
        ['git push ', 'git push'],
        ['rm ?-rf', '*'],
        ['git pus?h', 'git'],
        ['git rm *x', 'git'],
        ['rm{1,2}', '*'],
        ['^a\\.b c', 'a.b c*'],
        ['a\\+b c.', 'a+b'],
        ['x a|b', '*'],
        ['.*rm', '*'],
      ] as const
    ).map(
      ([commandRegex, text]): Exact => [
        `the expression ${commandRegex}`,
        rules({ ...shell, commandRegex, decision: 'deny' }),
        { commands: { ask: [text] } },
        ['rule[0] stricter'],
      ],
    ),
    [
      'files',
      rules({ toolName: ['write_file', 'replace'], decision: 'ask_user' }, { toolName: 'read_file', decision: 'deny' }),
      askToChange('.'),
      ['rule[1] looser'],
    ],
    [
      'everything',
      rules({ decision: 'deny' }, { toolName: '*', decision: 'deny' }),
      { commands: { deny: ['*'] } },
      ['rule[0] looser', 'rule[1] looser'],
    ],
    [
      'rules about nothing',
      rules(
        { toolName: [], decision: 'deny' },
        { ...shell, commandPrefix: [], decision: 'ask_user' },
        { ...shell, commandPrefix: [], decision: 'allow' },
      ),
      {},
      ['rule[0] looser', 'rule[1] looser', 'rule[2] none'],
    ],
    ['servers', rules({ mcpName: 'm', toolName: 't', decision: 'deny' }), {}, ['rule[0] stricter', 'rule[0] looser']],
  ];
  for (const each of cases) test(each[0], () => check('gemini', each));
});

describe('agentsh, to the line', () => {
  const workspace = { paths: ['${PROJECT_ROOT}/**'], operations: ['*'], decision: 'allow' };
  const open = 'file_rules[0].paths[0] stricter';
  const commands = (...command_rules: readonly object[]) => ({ version: 1, file_rules: [workspace], command_rules });
  const files = (...file_rules: readonly object[]) => ({
    version: 1,
    file_rules,
    command_rules: [{ commands: ['*'], decision: 'allow' }],
  });
  const network = (...network_rules: readonly object[]) => ({ ...files(workspace), network_rules });
  const sockets = (...unix_socket_rules: readonly object[]) => ({ ...files(workspace), unix_socket_rules });

  const cases: readonly Exact[] = [
    [
      'commands',
      commands(
        { commands: ['LS', '/usr/bin/Git', 'np*'], decision: 'allow' },
        { commands: ['rm'], decision: 'deny' },
        { commands: ['su'], args_patterns: ['x'], decision: 'deny' },
        { commands: ['dd'], context: 'x', decision: 'allow' },
        { commands: ['mv'], decision: 'soft_delete' },
        { commands: ['*'], decision: 'deny' },
      ),
      { commands: { allow: ['ls', '/usr/bin/git', 'np*'], ask: ['su', 'dd', 'mv'], deny: ['rm'] } },
      [
        open,
        'command_rules[2].commands[0] stricter',
        'command_rules[3].commands[0] stricter',
        'command_rules[4].commands[0] stricter',
      ],
    ],
    [
      'names that cannot be said are no permission',
      commands({ commands: ['a?c'], decision: 'allow' }, { commands: ['ls'], decision: 'allow' }),
      { commands: { allow: ['ls'], ask: ['a*'] } },
      [open, 'command_rules[0].commands[0] stricter'],
    ],
    [
      '… and no refusal that is lost',
      commands({ commands: ['?c'], decision: 'deny' }, { commands: ['*'], decision: 'allow' }),
      { commands: { ask: ['*'] } },
      [open, 'command_rules[0].commands[0] stricter'],
    ],
    [
      'nothing behind a refusal of every command',
      commands(
        { commands: ['git'], decision: 'allow' },
        { commands: ['*'], decision: 'deny' },
        { commands: ['ls'], decision: 'allow' },
      ),
      { commands: { allow: ['git'] } },
      [open, 'command_rules[2] none'],
    ],
    [
      'nothing at all behind one that comes first',
      commands({ decision: 'deny' }, { commands: ['ls'], decision: 'allow' }),
      { commands: { deny: ['*'] } },
      [open, 'command_rules[1] none'],
    ],
    [
      'a question where no rule allows',
      commands({ commands: ['a'], decision: 'approve' }),
      { commands: { ask: ['a', '*'] } },
      [open],
    ],
    [
      'a decision that is not known refuses',
      commands({ commands: ['a'], decision: 'later' }),
      { commands: { deny: ['a', '*'] } },
      [open],
    ],
    [
      'variables of some commands',
      commands({ commands: ['git'], env_allow: ['A'], env_deny: ['TOKEN'], decision: 'allow' }),
      { commands: { allow: ['git'] } },
      [open, 'command_rules[0] looser', 'command_rules[0] looser'],
    ],
    [
      'files of a rule with more than is known',
      files(
        workspace,
        { paths: ['/srv/x'], operations: ['read'], users: ['root'], decision: 'allow' },
        { paths: ['/srv/y'], users: ['root'], decision: 'deny' },
      ),
      { files: { deny: ['/srv/y'] } },
      [open, 'file_rules[1] stricter', 'file_rules[2] stricter'],
    ],
    [
      '… which is no permission for the workspace, either',
      files({ ...workspace, users: ['root'] }),
      { files: { protect: ['.'] } },
      ['file_rules[0] stricter'],
    ],
    [
      'files of rules about nothing',
      files(workspace, { paths: [], decision: 'deny' }, { decision: 'approve' }, { decision: 'allow' }),
      {},
      [open, 'file_rules[1] looser', 'file_rules[2] looser', 'file_rules[3] stricter'],
    ],
    [
      'files that are opened',
      files(
        workspace,
        {
          paths: ['/srv/a/**', '${HOME}/b', '/srv/*.c', '/**', '/workspace/x'],
          operations: ['read'],
          decision: 'allow',
        },
        { paths: ['/srv/w'], operations: ['write', 'delete'], decision: 'allow' },
        { paths: ['/srv/v'], operations: ['write'], decision: 'audit' },
      ),
      { files: { read: ['/srv/a', '~/b', '/srv/v'], write: ['/srv/w'] } },
      [open, 'file_rules[1].paths[2] stricter', 'file_rules[1].paths[3] stricter', 'file_rules[1].paths[4] stricter'],
    ],
    [
      'files that are closed',
      files(
        { paths: ['**/.env'], operations: ['read'], decision: 'deny' },
        { paths: ['a/x'], operations: ['write'], decision: 'deny' },
        { paths: ['b'], operations: ['delete'], decision: 'deny' },
        { paths: ['c'], operations: ['read'], decision: 'approve' },
        { paths: ['d'], operations: ['write'], decision: 'redirect' },
        { paths: ['e'], operations: ['tomorrow'], decision: 'deny' },
        { paths: ['f'], decision: 'deny' },
        workspace,
        { paths: ['/**'], operations: ['*'], decision: 'deny' },
      ),
      {
        files: { deny: ['**/.env', 'e', 'f'], protect: ['a/x'] },
        file: [
          { name: 'refuse-deleting', decision: 'deny', operations: ['delete'], paths: ['b'] },
          { name: 'ask-to-read', decision: 'ask', paths: ['c'] },
          ...askToChange('d').file,
        ],
      },
      ['file_rules[7].paths[0] stricter', 'file_rules[8].paths[0] stricter'],
    ],
    [
      'nothing is opened behind a refusal of everything',
      files(
        workspace,
        { paths: ['/**'], operations: ['read'], decision: 'deny' },
        { paths: ['/srv/x'], operations: ['read'], decision: 'allow' },
        { paths: ['/srv/y'], operations: ['write', 'delete'], decision: 'allow' },
      ),
      {},
      [open, 'file_rules[1].paths[0] stricter', 'file_rules[2].paths[0] stricter', 'file_rules[3].paths[0] stricter'],
    ],
    [
      '… but what another kind of refusal leaves',
      files(
        workspace,
        { paths: ['/**'], operations: ['write'], decision: 'deny' },
        { paths: ['/srv/x'], operations: ['read'], decision: 'allow' },
        { paths: ['/srv/y'], operations: ['*'], decision: 'allow' },
      ),
      { files: { read: ['/srv/x'] } },
      [open, 'file_rules[1].paths[0] stricter', 'file_rules[3].paths[0] stricter'],
    ],
    [
      '… nor behind a question about everything',
      files({ paths: ['/**'], operations: ['*'], decision: 'approve' }, workspace, {
        paths: ['/srv/x'],
        operations: ['read'],
        decision: 'allow',
      }),
      { files: { protect: ['.'] } },
      [
        'file_rules[0] looser',
        'file_rules[0].paths[0] stricter',
        'file_rules[1].paths[0] stricter',
        'file_rules[2].paths[0] stricter',
      ],
    ],
    [
      'a workspace in which nothing may be deleted',
      files({ paths: ['${PROJECT_ROOT}/**'], operations: ['read', 'write'], decision: 'allow' }),
      { file: [{ name: 'refuse-deleting', decision: 'deny', operations: ['delete'], paths: ['.'] }] },
      [open],
    ],
    [
      'hosts',
      network(
        { domains: ['a.example'], ports: [443, 80], decision: 'allow' },
        { domains: ['*.b.example'], decision: 'allow' },
        { domains: ['c.example'], decision: 'approve' },
        { domains: ['e.example'], cidrs: ['10.0.0.0/8'], decision: 'allow' },
        { decision: 'allow' },
        { domains: ['*'], decision: 'deny' },
      ),
      {
        network: { hosts: ['a.example:443', 'a.example:80'] },
        connect: [{ name: 'ask-to-connect', decision: 'ask', hosts: ['*.b.example', 'c.example'] }],
      },
      [
        open,
        'network_rules[1].domains[0] stricter',
        'network_rules[3].domains[0] stricter',
        'network_rules[3].cidrs[0] stricter',
        'network_rules[4] stricter',
        'network_rules[5].domains[0] stricter',
      ],
    ],
    [
      'hosts behind a refusal',
      network(
        { domains: ['*.bad.example', 'worse.example'], ports: [80], decision: 'deny' },
        { domains: ['x.bad.example', 'good.example'], decision: 'allow' },
        { decision: 'deny' },
        { domains: ['late.example'], decision: 'allow' },
      ),
      { network: { hosts: ['good.example'], deny: ['*.bad.example:80', 'worse.example:80'] } },
      [
        open,
        'network_rules[1].domains[0] stricter',
        'network_rules[2] stricter',
        'network_rules[3].domains[0] stricter',
      ],
    ],
    [
      'hosts behind a question',
      network({ decision: 'approve' }, { domains: ['late.example'], decision: 'allow' }),
      {},
      [open, 'network_rules[0] stricter', 'network_rules[1].domains[0] stricter'],
    ],
    [
      'hosts behind a refusal of addresses',
      network({ cidrs: ['192.0.2.0/24'], decision: 'deny' }, { domains: ['good.example'], decision: 'allow' }),
      { network: { hosts: ['good.example'], deny: ['192.0.2.0/24'] } },
      [open],
    ],
    [
      'a question that a refusal answers',
      network({ domains: ['c.example'], decision: 'approve' }, { domains: ['*.example'], decision: 'deny' }),
      { network: { deny: ['*.example'] } },
      [open, 'network_rules[0].domains[0] none'],
    ],
    [
      'sockets',
      sockets({ paths: ['/run/a.sock', '@b'], decision: 'allow' }, { paths: ['/run/d.sock'], decision: 'deny' }),
      { sockets: { allow: ['/run/a.sock', '@b'], deny: ['/run/d.sock'] } },
      [open],
    ],
    [
      'sockets of rules with more, or less',
      sockets(
        { paths: ['/run/a.sock'], operations: ['connect'], decision: 'allow' },
        { paths: ['/run/b.sock'], operations: ['bind'], decision: 'allow' },
        { paths: ['/run/c.sock'], users: ['root'], decision: 'audit' },
        { paths: ['/run/d.sock'], operations: ['bind'], decision: 'deny' },
        { decision: 'deny' },
      ),
      { sockets: { allow: ['/run/a.sock'], deny: ['/run/d.sock'] } },
      [
        open,
        'unix_socket_rules[1] stricter',
        'unix_socket_rules[1].paths[0] stricter',
        'unix_socket_rules[2] stricter',
        'unix_socket_rules[2].paths[0] stricter',
        'unix_socket_rules[3] stricter',
        'unix_socket_rules[4] looser',
      ],
    ],
    [
      'sockets behind a question',
      sockets(
        { paths: ['/run/a.sock'], decision: 'approve' },
        { paths: ['/run/a.sock', '/run/b.sock'], decision: 'allow' },
      ),
      { sockets: { allow: ['/run/b.sock'] } },
      [open, 'unix_socket_rules[0].paths[0] stricter', 'unix_socket_rules[1].paths[0] stricter'],
    ],
    [
      'sockets beside a wildcard',
      sockets({ paths: ['/run/*.sock'], decision: 'deny' }, { paths: ['/run/a.sock'], decision: 'allow' }),
      { sockets: { deny: ['/run/*.sock'] } },
      [open, 'unix_socket_rules[1].paths[0] stricter'],
    ],
    [
      'variables, and what is no part',
      {
        ...files(workspace),
        env_policy: { allow: ['A', 'B*'], deny: ['C'], max_bytes: 1 },
        signal_rules: [],
        metadata: {},
        tomorrow: 1,
      },
      { environment: { pass: ['A', 'B*'], deny: ['C'] } },
      [open, 'env_policy.max_bytes looser', 'signal_rules looser', 'tomorrow looser'],
    ],
  ];
  for (const each of cases) test(each[0], () => check('agentsh', each));
});
