import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { archivesTools } from './archives/index.ts';
import { buildTools } from './build/index.ts';
import { containersTools } from './containers/index.ts';
import { editorsTools } from './editors/index.ts';
import { effectsOf } from './effects-of.ts';
import { gitTools } from './git/index.ts';
import { languagesTools } from './languages/index.ts';
import { networkTools } from './network/index.ts';
import { packagesTools } from './packages/index.ts';
import { systemTools } from './system/index.ts';
import { shortEffects } from './testing/effects.ts';
import { toolFor } from './tool-for.ts';
import type { OptionSpec, ToolSpec } from './types.ts';
import { staticWord } from './words.ts';

const top = [
  archivesTools,
  buildTools,
  containersTools,
  editorsTools,
  gitTools,
  languagesTools,
  networkTools,
  packagesTools,
  systemTools,
].flat();

interface Level {
  readonly path: readonly string[];
  readonly spec: ToolSpec;
}

const levelsOf = (spec: ToolSpec, before: readonly string[]): readonly Level[] => {
  const path = [...before, spec.names[0] ?? ''];
  return [{ path, spec }, ...(spec.subcommands ?? []).flatMap((sub) => levelsOf(sub, path))];
};
const levels = top.flatMap((spec) => levelsOf(spec, []));
const read = ({ path }: Level, ...words: readonly string[]) => {
  const spec = top.find(({ names }) => names[0] === path[0]) as ToolSpec;
  return effectsOf(
    spec,
    [...path.slice(1), ...words].map((word) => staticWord(word)),
    { cwd: '/srv/project', home: '/home/dev' },
  );
};
const named = levels.map((level) => [level.path.join(' '), level] as const);

describe('every specification', () => {
  test('a name belongs to one tool', () => {
    const names = top.flatMap((spec) => spec.names);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
    expect(names.filter((name) => !top.includes(toolFor(name) as ToolSpec))).toEqual([]);
  });

  test.each(named)('%s spells each option and subcommand once', (_, { spec }) => {
    for (const names of [
      spec.options.flatMap((option) => option.names),
      (spec.subcommands ?? []).flatMap((sub) => sub.names),
    ]) {
      expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
    }
    // A cluster would read `-ab` as `-a -b`.
    const long = spec.options
      .flatMap((option) => option.names)
      .filter((name) => /^-[^-]./u.test(name) && name !== '-#');
    if (!spec.grammar.startsWith('long')) expect(long).toEqual([]);
  });

  test.each(named.filter(([, { spec }]) => spec.grammar !== 'words'))(
    '%s does not understand an option that nobody knows',
    (_, level) => {
      expect(read(level, '--frobnicate=1').effects.opaque.map(({ kind }) => kind)).toContain('unknown-option');
      expect(read(level, '--frobnicate').effects.opaque.map(({ kind }) => kind)).toContain('unknown-option');
    },
  );

  const abbreviated = named.flatMap(([name, level]) =>
    level.spec.options.flatMap((option) =>
      option.names
        .filter((each) => /^--[\w-]{4,}$/u.test(each))
        .map((each) => [`${name} ${each}`, level, each] as const),
    ),
  );
  test('an abbreviated long option is not understood (CVE-2025-66032: git --upload-pa)', () => {
    const understood = abbreviated.filter(([, level, option]) => {
      const short = option.slice(0, -1);
      const isAnother = level.spec.options.some(({ names }) => names.includes(short) || names.includes(short.slice(1)));
      return (
        !isAnother &&
        level.spec.grammar !== 'words' &&
        !read(level, `${short}=1`).effects.opaque.some(({ kind }) => kind === 'unknown-option')
      );
    });
    expect(understood.map(([text]) => text)).toEqual([]);
    expect(abbreviated.length).toBeGreaterThan(3000);
  });

  const running = (option: OptionSpec): boolean =>
    ['program', 'script', 'code', 'code-file', 'refused', 'command'].includes(option.role ?? 'text');
  const runners = named.flatMap(([name, level]) =>
    level.spec.options
      .filter(running)
      .flatMap((option) =>
        option.names.map((each) => [`${name} ${each}`, level, { name: each, value: option.value }] as const),
      ),
  );
  test.each(runners)('%s names what it runs', (_, level, { name: option, value }) => {
    const attached =
      option.endsWith('*') || (value === 'optional' && !option.startsWith('--'))
        ? [`${option.replace(/\*$/u, '')}./x`]
        : option.startsWith('--') && level.spec.grammar !== 'long'
          ? [`${option}=./x`]
          : [option, './x'];
    const { effects, commands, scripts } = read(level, ...attached);
    const said = [
      ...effects.opaque.map(({ message }) => message),
      ...commands.flat().map((word) => (word.kind === 'static' ? word.value : word.text)),
      ...scripts.map((word) => (word.kind === 'static' ? word.value : word.text)),
    ];
    expect(said.some((text) => text.includes('./x') || text.includes(option))).toBe(true);
  });
});

describe('what an explanation names', () => {
  test.each([
    ['git --git-dir=/tmp/x status', '`--git-dir` takes configuration'],
    ['git -c core.sshCommand=./x fetch', '`-c core.sshCommand=./x` can name a program'],
    ['git clone --template=x https://example.com/a', '`--template` names hooks'],
    ['git commit -S', '`--gpg-sign` runs the program that `gpg.program` names'],
    ['git grep --textconv x', '`--textconv` runs the conversion program'],
    ['tar -T list -cf a', '`--files-from` takes options'],
    ['tar -I ./x -xf a', '`-I` runs `./x`'],
    ['zip a b -T', '`-T` runs an unpacker'],
    ['curl -K conf', '`--config` takes options'],
    ['curl --engine x https://example.com', '`--engine` loads a library'],
    ['wget -e x=y https://example.com', '`--execute` is a line of `.wgetrc`'],
    ['ssh -o ProxyCommand=./x host.example.com', '`-o ProxyCommand=./x` can run a program here'],
    ['rsync --daemon', '`--daemon` listens'],
    ['node -e x', '`-e` runs code'],
    ['node --run x', '`--run` runs a script'],
    ['python3 -m x', '`-m` runs a module'],
    ['npm config set script-shell x', 'settings such as `script-shell`'],
    ['go build -ldflags=x', '`-ldflags` can name a linker'],
    ['cargo --config x build', '`--config` can set a compiler wrapper'],
    ['rustc -C linker=x a.rs', '`-C` can name a linker'],
    ['gcc -wrapper x a.c', '`-wrapper` runs a program'],
    ['gcc @x', '`@x` takes options from a file'],
    ['java -javaagent:x Main', '`-javaagent` and `-agentpath` load code'],
    ['make SHELL=./x', '`SHELL=./x` sets a variable'],
    ['make --eval=x', '`--eval` runs code'],
    ['cmake -DCMAKE_C_COMPILER=./x .', '`-DCMAKE_C_COMPILER=./x` can name a program'],
    ['docker run --privileged x', '`--privileged` gives the container the machine'],
    ['docker run --pid=host x', '`--pid`, `--ipc`, `--userns`'],
    ['kubectl --kubeconfig=x get pods', '`--kubeconfig` names programs'],
    ['helm install --post-renderer ./x a b', '`--post-renderer` runs `./x`'],
    ['apt-get -o DPkg::Pre-Invoke::=x update', '`DPkg::Pre-Invoke`'],
    ['dpkg --pre-invoke=x -i a', '`--pre-invoke` and `--post-invoke` run a command'],
    ['rpm --eval x', '`--eval`'],
    ['ip -batch x', '`-batch` takes commands'],
    ['vim -c x a', '`-c` runs code'],
    ['ed a', 'takes commands from its input'],
    ['sqlite3 a .shell', '`.shell` can run a program'],
    ['mysql --pager=./x', '`--pager` runs `./x`'],
  ])('%s', (line, fragment) => {
    expect(shortEffects(line).opaque?.join('\n')).toContain(fragment);
  });
});

/** The programs that are here say which options they have: a misspelt one would never match. */
const helps: readonly (readonly [name: string, argv: readonly string[]])[] = [
  ['tar', ['tar', '--help']],
  ['curl', ['curl', '--help', 'all']],
  ['wget', ['wget', '--help']],
  ['make', ['make', '--help']],
  ['ed', ['ed', '--help']],
  ['journalctl', ['journalctl', '--help']],
  ['dmesg', ['dmesg', '--help']],
  ['ss', ['ss', '--help']],
  ['lsblk', ['lsblk', '--help']],
  ['findmnt', ['findmnt', '--help']],
  ['dpkg-query', ['dpkg-query', '--help']],
];
/** Known to other releases than the one that may be here. */
const elsewhere = new Set([
  '--show-headers',
  '--skip-existing',
  '--ca-native',
  '--variable',
  '--expand-url',
  '--expand-data',
  '--jobserver-style',
  '--shuffle',
  '--full',
  '--no-full',
  '--help',
  '--no-location',
  '--no-styled-output',
]);

const present = helps
  .map(([name, [program = '', ...words]]) => ({
    name,
    text: ((result) => `${result.stdout ?? ''}${result.stderr ?? ''}`)(
      spawnSync(program, words, { encoding: 'utf8', timeout: 10_000 }),
    ),
  }))
  .filter(({ text }) => text.length > 200);

test.each(present)('$name has the options that are listed', ({ name, text }) => {
  const names = (toolFor(name)?.options ?? [])
    .flatMap((option) => option.names)
    .filter((option) => option.startsWith('--') && !elsewhere.has(option));
  expect(names.filter((option) => !text.includes(option))).toEqual([]);
});
