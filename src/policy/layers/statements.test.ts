import { describe, expect, test } from 'vitest';
import { documentFrom, places } from '../testing/policies.ts';
import { compileLayer, userLayer } from './compile-layer.ts';
import type { Layer } from './layer.ts';

const project = (text: string): Layer =>
  compileLayer(documentFrom(text, 'project.toml'), { kind: 'project', ...places });
const user = (text: string): Layer => userLayer(documentFrom(text, 'user.toml'), places);
const lines = (layer: Layer): readonly string[] =>
  layer
    .statements()
    .filter(({ origin }) => origin.line > 0)
    .map(
      ({ subject, value, origin, reason }) =>
        `${subject}: ${value} @${origin.line}${reason === undefined ? '' : ` ${reason}`}`,
    );

describe('the lines of a layer', () => {
  test.each<[string, readonly string[]]>([
    [
      '[files]\nread = ["/srv", "~/x"]\ndeny = ["**/y"]',
      ['files.read: /srv @3', 'files.read: ~/x @3', 'files.deny: **/y @4'],
    ],
    [
      '[commands]\nallow = ["git"]\nask = ["git push"]\ndeny = ["curl"]\nunknown = "deny"',
      ['commands.allow: git @3', 'commands.ask: git push @4', 'commands.deny: curl @5', 'commands.unknown: deny @6'],
    ],
    ['[network]\nhosts = ["a.test:443"]\ndns = "real"', ['network.hosts: a.test:443 @3', 'network.dns: real @4']],
    ['[environment]\npass = ["A"]\ndeny = ["B"]', ['environment.pass: A @3', 'environment.deny: B @4']],
    [
      '[limits]\nmemory = "50%"\nprocesses = 10\nwall = "2m"\ntmp = "1KiB"',
      ['limits.memory: 50% @3', 'limits.processes: 10 @4', 'limits.tmp: 1KiB @6', 'limits.wall: 2m @5'],
    ],
    ['[process]\nptrace = "deny"\n[backend]\nuse = "native"', ['backend.use: native @5', 'process.ptrace: deny @3']],
    ['[require]\nguarantees = ["fs.read", "pid"]', ['require.guarantees: fs.read @3', 'require.guarantees: pid @3']],
    ['[files]\nnew_protected = "quarantine"', ['files.new_protected: quarantine @3']],
    ['[sockets]\nlater = "reach"', ['sockets.later: reach @3']],
    [
      '[[exec]]\nname = "a"\ndecision = "deny"\ncommands = ["rm -r"]\nreason = "why"\nmatch = ["rm -r x"]',
      ['exec: deny commands=["rm -r"] @2 why'],
    ],
    [
      '[[file]]\nname = "a"\ndecision = "audit"\npaths = ["x"]\noperations = ["read"]',
      ['file: audit paths=["x"] operations=["read"] @2'],
    ],
    ['[[signal]]\nname = "a"\ndecision = "deny"', ['signal: deny @2']],
    ['', []],
  ])('%j', (text, expected) => {
    expect([...lines(project(text))].toSorted()).toEqual([...expected].toSorted());
  });

  test('lines that only a user may write', () => {
    expect(lines(user('[environment.set]\nA = "b c"'))).toEqual(['environment.set: A="b c" @3']);
    expect(lines(user('[files]\nrelease = [".vscode"]'))).toContain('files.release: .vscode @3');
  });

  test('the base tells the defaults, with the reason of each, and a ceiling tells none', () => {
    const builtin = (layer: Layer) => layer.statements().filter(({ origin }) => origin.file === 'built-in');
    expect(builtin(project('[files]\nread = ["x"]'))).toEqual([]);
    const own = builtin(user(''));
    expect(new Set(own.map(({ subject }) => subject))).toEqual(
      new Set([
        'files.read',
        'files.write',
        'files.ephemeral',
        'files.private',
        'files.protect',
        'files.deny',
        'environment.pass',
        'limits.memory',
        'limits.processes',
        'limits.open_files',
        'limits.tmp',
        'limits.trash',
        'limits.trash_age',
        'registry.deny',
        'require.guarantees',
        'commands.unknown',
        'commands.git',
        'files.new_protected',
        'sockets.later',
        'network.dns',
        'network.watch',
        'process.ptrace',
      ]),
    );
    for (const { subject, reason } of own.filter(
      ({ subject: name }) => name === 'files.protect' || name === 'files.deny' || name === 'files.private',
    ))
      expect(reason, subject).toMatch(/\w/u);
  });
});

describe('paths that a layer needs', () => {
  test.each<[string, readonly string[]]>([
    ['[network]\nhosts = ["a.test"]\nforward = [8080]', ['connect allow list', 'forward allow list']],
    ['[network]\npresets = ["npm"]', ['connect allow list']],
    ['[network]\ndns = "real"', ['real-dns allow list']],
    ['[network]\ndns = "fake"', []],
    ['[sockets]\nallow = ["/run/a"]\ndeny = ["/run/b"]', ['socket allow list']],
    ['[commands]\nallow = ["ls"]', ['exec deny list']],
    ['[commands]\nask = ["ls"]\ndeny = ["rm"]', ['exec ask list', 'exec deny list']],
    ['[files]\nread = ["x"]\ndeny = ["y"]', []],
    ['[environment]\npass = ["A"]', []],
    ['[[connect]]\nname = "a"\ndecision = "allow"\nhosts = ["x"]\nprotocol = "udp"', ['udp allow rule']],
    ['[[connect]]\nname = "a"\ndecision = "deny"\nhosts = ["x"]\nprotocol = "udp"', ['connect deny rule']],
    ['[[connect]]\nname = "a"\ndecision = "allow"\nhosts = ["x"]\nprotocol = "tcp"', ['connect allow rule']],
    [
      '[[file]]\nname = "a"\ndecision = "deny"\npaths = ["x"]\noperations = ["write", "delete"]',
      ['file deny rule write,delete'],
    ],
    ['[[file]]\nname = "a"\ndecision = "deny"\npaths = ["x"]', ['file deny rule']],
    ['[[exec]]\nname = "a"\ndecision = "audit"\ncommands = ["x"]', ['exec audit rule']],
    ['[[socket]]\nname = "a"\ndecision = "ask"\naddresses = ["@x"]\noperations = ["bind"]', ['socket ask rule bind']],
  ])('%j', (text, expected) => {
    expect(
      project(text)
        .uses()
        .map(
          ({ kind, decision, from, operations }) =>
            `${kind} ${decision} ${from}${operations === undefined ? '' : ` ${operations.join(',')}`}`,
        ),
    ).toEqual(expected);
  });

  test('the defaults need nothing', () => {
    expect(user('').uses()).toEqual([]);
  });
});

describe('the patterns about commands of a layer', () => {
  const told = (text: string): readonly string[] =>
    project(text)
      .commands()
      .map(
        ({ pattern, decision, context }) =>
          `${decision} ${pattern.source}${context === undefined ? '' : ` ${context}`}`,
      );

  test('in the order in which they are tried: refusals, rules, questions, grants', () => {
    const text =
      '[commands]\nallow = ["a"]\nask = ["b"]\ndeny = ["c d"]\n[[exec]]\nname = "r"\ndecision = "audit"\ncommands = ["e", "f *"]\ncontext = "nested"\n[[exec]]\nname = "s"\ndecision = "deny"\ncommands = ["g"]';
    expect(told(text)).toEqual(['deny c d', 'audit e nested', 'audit f * nested', 'deny g', 'ask b', 'allow a']);
  });

  test.each([
    ['', false],
    ['[commands]\nask = ["a"]', false],
    ['[commands]\nallow = []', true],
    ['[commands]\nallow = ["a"]', true],
  ])('%j is a list of all that may run: %s', (text, limits) => {
    expect(project(text).limitsCommands).toBe(limits);
    expect(user(text).limitsCommands).toBe(limits);
  });
});
