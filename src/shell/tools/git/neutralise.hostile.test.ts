import { appendFileSync, chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isNeutralGit, neutralGit } from './neutralise.ts';
import { hostileRepository, type Trap } from './testing/hostile-repository.ts';

const set =
  (...settings: readonly (readonly [string, string])[]): Trap =>
  ({ git, canary }) => {
    for (const [key, value] of settings) git('config', key, value.replaceAll('CANARY', canary));
  };

const attributes =
  (text: string, then: Trap): Trap =>
  (place) => {
    writeFileSync(join(place.directory, '.gitattributes'), `${text}\n`);
    then(place);
  };

const both =
  (...traps: readonly Trap[]): Trap =>
  (place) => {
    for (const trap of traps) trap(place);
  };

const changed: Trap = ({ directory }) => appendFileSync(join(directory, 'file.txt'), 'three\n');
const hook =
  (name: string): Trap =>
  ({ directory, canary }) => {
    copyFileSync(canary, join(directory, '.git/hooks', name));
    chmodSync(join(directory, '.git/hooks', name), 0o755);
  };

/** The signer makes what looks like a signature, so that git asks the checker. */
const signed: Trap = ({ directory, git }) =>
  git(
    '-c',
    `gpg.program=${join(directory, '../signer')}`,
    '-c',
    'user.signingkey=x',
    'commit',
    '-q',
    '--allow-empty',
    '-S',
    '-m',
    'signed',
  );
const signer: Trap = ({ directory }) => {
  const file = join(directory, '../signer');
  writeFileSync(
    file,
    '#!/bin/sh\ncat > /dev/null\nprintf "%s\\n" "-----BEGIN PGP SIGNATURE-----" "" "x" "-----END PGP SIGNATURE-----"\nprintf "\\n[GNUPG:] SIG_CREATED \\n" >&2\n',
  );
  chmodSync(file, 0o755);
};

/** A partial clone without the blobs: anyone who reads them asks the remote. */
const promisor =
  (url: string, ...settings: readonly (readonly [string, string])[]): Trap =>
  (place) => {
    const { directory, read } = place;
    const blobs = ['HEAD:file.txt', 'HEAD~:file.txt'].map((name) => read('rev-parse', name));
    set(
      ['core.repositoryFormatVersion', '1'],
      ['extensions.partialClone', 'origin'],
      ['remote.origin.url', url],
      ['remote.origin.promisor', 'true'],
      ...settings,
    )(place);
    for (const blob of blobs) rmSync(join(directory, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  };

interface Row {
  readonly name: string;
  readonly trap: Trap;
  readonly command: readonly string[];
}

const rows: readonly Row[] = [
  { name: 'core.fsmonitor, status', trap: set(['core.fsmonitor', 'CANARY']), command: ['status'] },
  { name: 'core.fsmonitor, diff', trap: set(['core.fsmonitor', 'CANARY']), command: ['diff'] },
  { name: 'core.fsmonitor, ls-files', trap: set(['core.fsmonitor', 'CANARY']), command: ['ls-files', '-m'] },
  {
    name: 'CVE-2026-55607 core.fsmonitor, linked worktree',
    trap: both(set(['core.fsmonitor', 'CANARY']), ({ git }) =>
      git('-c', 'core.fsmonitor=false', 'worktree', 'add', '-q', 'linked', 'HEAD~'),
    ),
    command: ['-C', 'linked', 'status', '--short'],
  },
  { name: 'diff.external', trap: both(changed, set(['diff.external', 'CANARY'])), command: ['diff'] },
  {
    name: 'diff.external with --cached',
    trap: both(changed, ({ git }) => git('add', '.'), set(['diff.external', 'CANARY'])),
    command: ['diff', '--cached'],
  },
  {
    name: 'diff.<driver>.command',
    trap: both(changed, attributes('*.txt diff=evil', set(['diff.evil.command', 'CANARY']))),
    command: ['diff'],
  },
  {
    name: 'textconv, diff',
    trap: both(changed, attributes('*.txt diff=evil', set(['diff.evil.textconv', 'CANARY']))),
    command: ['diff'],
  },
  {
    name: 'textconv, log -p',
    trap: attributes('*.txt diff=evil', set(['diff.evil.textconv', 'CANARY'])),
    command: ['log', '-p'],
  },
  {
    name: 'textconv, show',
    trap: attributes('*.txt diff=evil', set(['diff.evil.textconv', 'CANARY'])),
    command: ['show'],
  },
  {
    name: 'textconv, blame',
    trap: attributes('*.txt diff=evil', set(['diff.evil.textconv', 'CANARY'])),
    command: ['blame', 'HEAD', '--', 'file.txt'],
  },
  {
    name: 'textconv, log -S',
    trap: attributes('*.txt diff=evil', set(['diff.evil.textconv', 'CANARY'])),
    command: ['log', '-S', 'two'],
  },
  {
    name: 'log.showSignature',
    trap: both(signer, signed, set(['gpg.program', 'CANARY'], ['log.showSignature', 'true'])),
    command: ['log'],
  },
  {
    name: '%G? of format.pretty',
    trap: both(signer, signed, set(['gpg.program', 'CANARY'], ['format.pretty', '%G?'])),
    command: ['log'],
  },
  {
    name: '%G? of --format',
    trap: both(signer, signed, set(['gpg.openpgp.program', 'CANARY'])),
    command: ['log', '--format=%G?'],
  },
  { name: 'post-index-change hook', trap: hook('post-index-change'), command: ['status'] },
  {
    name: 'post-index-change hook of core.hooksPath',
    trap: both(
      ({ directory, canary }) => {
        mkdirSync(join(directory, '../hooks'));
        copyFileSync(canary, join(directory, '../hooks/post-index-change'));
        chmodSync(join(directory, '../hooks/post-index-change'), 0o755);
      },
      ({ git, directory }) => git('config', 'core.hooksPath', join(directory, '../hooks')),
    ),
    command: ['status'],
  },
  {
    name: 'include.path',
    trap: ({ directory, git, canary }) => {
      writeFileSync(join(directory, 'more'), `[core]\n\tfsmonitor = ${canary}\n`);
      git('config', 'include.path', '../more');
    },
    command: ['status'],
  },
  {
    name: 'fsmonitor of a submodule',
    trap: ({ directory, git, canary }) => {
      git('init', '-q', 'inner');
      git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'x');
      git('-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
      git('-C', join(directory, 'inner'), 'config', 'core.fsmonitor', canary);
    },
    command: ['status'],
  },
  {
    name: 'external diff of a submodule',
    trap: ({ directory, git, canary }) => {
      git('init', '-q', 'inner');
      writeFileSync(join(directory, 'inner/a'), 'a\n');
      git('-C', 'inner', 'add', '.');
      git('-C', 'inner', 'commit', '-q', '-m', 'x');
      git('-c', 'advice.addEmbeddedRepo=false', 'add', 'inner');
      git('commit', '-q', '-m', 'inner');
      writeFileSync(join(directory, 'inner/a'), 'b\n');
      git('-C', 'inner', 'config', 'diff.external', canary);
      git('config', 'diff.submodule', 'diff');
    },
    command: ['diff'],
  },
  {
    name: 'promisor through ext that protocol.ext.allow permits',
    trap: promisor('ext::CANARY', ['protocol.ext.allow', 'always'], ['remote.origin.url', 'ext::CANARY']),
    command: ['show', 'HEAD:file.txt'],
  },
  {
    name: 'promisor through core.sshCommand',
    trap: promisor('ssh://example.com/x', ['core.sshCommand', 'CANARY']),
    command: ['log', '-p'],
  },
  {
    name: 'promisor through remote.origin.uploadpack',
    trap: promisor('.', ['remote.origin.uploadpack', 'CANARY']),
    command: ['cat-file', '-p', 'HEAD:file.txt'],
  },
  {
    name: 'promisor through core.gitProxy',
    trap: promisor('git://example.com/x', ['core.gitProxy', 'CANARY']),
    command: ['grep', 'x', 'HEAD'],
  },
];

describe('the neutral form of a reading command in a hostile repository', () => {
  test.each(rows)('$name: the bare form runs the canary, the neutral one does not', ({ trap, command }) => {
    const repository = hostileRepository(trap);
    try {
      const neutral = neutralGit(['git', ...command]);
      expect(repository.sings(['git', ...command]), 'control').toBe(true);
      expect(neutral).toBeDefined();
      expect(repository.sings(neutral?.argv ?? [])).toBe(false);
      expect(repository.sings(neutral?.argv ?? [], neutral?.environment)).toBe(false);
    } finally {
      repository.remove();
    }
  });

  const pagers: readonly (readonly [string, Trap, readonly string[]])[] = [
    ['core.pager', set(['core.pager', 'CANARY']), ['log']],
    ['pager.<command>', set(['pager.log', 'CANARY']), ['log']],
    ['pager.branch', set(['pager.branch', 'CANARY']), ['branch', '-a']],
  ];
  test.each(pagers)('%s runs the canary on a terminal; the neutral form does not', (_, trap, command) => {
    const repository = hostileRepository(trap);
    try {
      expect(repository.sings(onTerminal(['git', ...command])), 'control').toBe(true);
      const neutral = neutralGit(['git', ...command])?.argv;
      expect(neutral).toBeDefined();
      expect(repository.sings(onTerminal(neutral ?? []))).toBe(false);
    } finally {
      repository.remove();
    }
  });

  const filters = (kind: string): Trap => attributes('*.txt filter=evil', set([`filter.evil.${kind}`, 'CANARY']));
  test.each(['clean', 'process'])(
    'a %s filter runs even in the neutral form of status and diff, and the form says so',
    (kind) => {
      const repository = hostileRepository(filters(kind));
      try {
        for (const command of [
          ['status'],
          ['diff'],
          ['blame', 'file.txt'],
          ['ls-files', '-m'],
          ['describe', '--always', '--dirty'],
        ]) {
          const neutral = neutralGit(['git', ...command]);
          expect(repository.sings(neutral?.argv ?? [], neutral?.environment), command.join(' ')).toBe(true);
          expect(neutral?.leaves).toEqual(['filters']);
          expect(isNeutralGit(neutral?.argv ?? [])).toBe(false);
        }
      } finally {
        repository.remove();
      }
    },
  );

  test.each([['clean'], ['smudge'], ['process']])(
    'a %s filter does not run where the form says that nothing is left',
    (kind) => {
      const repository = hostileRepository(filters(kind));
      try {
        for (const command of [
          ['diff', '--cached'],
          ['log', '-p'],
          ['show'],
          ['grep', 'one'],
          ['ls-files'],
          ['branch'],
          ['cat-file', '-p', 'HEAD:file.txt'],
          ['describe', '--always'],
          ['stash', 'list'],
        ]) {
          const neutral = neutralGit(['git', ...command]);
          expect(neutral?.leaves, command.join(' ')).toEqual([]);
          expect(repository.sings(neutral?.argv ?? [], neutral?.environment), command.join(' ')).toBe(false);
          expect(isNeutralGit(neutral?.argv ?? [])).toBe(true);
        }
      } finally {
        repository.remove();
      }
    },
  );
});

describe('the neutral form in a friendly repository', () => {
  const commands = [
    ['status', '--short'],
    ['diff'],
    ['log', '--oneline', '-3'],
    ['log', '-p', '--stat'],
    ['show', 'HEAD~'],
    ['blame', 'file.txt'],
    ['branch', '-a'],
    ['tag', '-l'],
    ['rev-parse', 'HEAD'],
    ['ls-files', '-s'],
    ['ls-tree', '-r', 'HEAD'],
    ['cat-file', '-p', 'HEAD'],
    ['describe', '--always'],
    ['shortlog', '-sn', 'HEAD'],
    ['grep', '-n', 'one'],
    ['remote', '-v'],
    ['remote'],
    ['stash', 'list'],
    ['for-each-ref'],
    ['rev-list', '--count', 'HEAD'],
    ['config', '--get', 'core.bare'],
    ['config', '-l', '--local'],
    ['-C', '.', 'diff', 'HEAD~', '--', 'file.txt'],
    ['diff-tree', '-p', 'HEAD~', 'HEAD'],
    ['reflog', 'show'],
    ['count-objects', '-v'],
    ['version'],
    ['show-ref'],
    ['merge-base', 'HEAD', 'HEAD~'],
    ['name-rev', 'HEAD'],
    ['check-ignore', 'x'],
    ['whatchanged', '-1'],
  ];
  const repository = hostileRepository(changed);
  test.each(commands.map((command) => [command.join(' '), command] as const))('git %s says the same', (_, command) => {
    const neutral = neutralGit(['git', ...command]);
    expect(neutral).toBeDefined();
    expect(withoutNow(repository.output(neutral?.argv ?? [], neutral?.environment))).toBe(
      withoutNow(repository.output(['git', ...command])),
    );
  });
});

/** `git blame` dates lines that are not committed yet with the second in which it runs. */
function withoutNow(output: string): string {
  return output.replaceAll(/(?<=\(Not Committed Yet )[-0-9: +]+(?= \d+\))/gu, 'now');
}

/** As a person would run it: a pager starts only on a terminal. */
function onTerminal(argv: readonly string[]): readonly string[] {
  return ['script', '-qec', argv.map((word) => `'${word}'`).join(' '), '/dev/null'];
}
