import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { coreutilsTools } from './coreutils/index.ts';
import { findutilsTools } from './findutils/index.ts';
import { machineTools } from './machine/index.ts';
import { textTools } from './text/index.ts';
import type { ToolSpec } from './types.ts';

const signals = 'HUP INT QUIT KILL TERM USR1 USR2 STOP CONT'.split(' ').flatMap((name) => [`-${name}`, `-SIG${name}`]);

/** Options that the programs take and do not tell of in their help. Each was tried. */
const untold: Readonly<Record<string, readonly string[]>> = {
  chmod: [...'rwxXstugoa'].map((letter) => `-${letter}`),
  stat: ['--format'],
  date: ['--resolution'],
  pkill: signals,
  killall: [...signals, '-#'],
  objdump: ['--no-show-raw-insn'],
  // Its help is that of the compiler's driver.
  cpp: ['-dM', '-dD', '-P', '-C', '-undef', '-nostdinc', '-w', '-M', '-MM', '-isystem'],
  // Handed on to jq, or options of the other program of this name, at which this one stops.
  yq: [
    '--raw-output',
    '--exit-status',
    '--null-input',
    '--prettyPrint',
    '--colors',
    '--no-colors',
    '--no-doc',
    '--output-format',
    '--input-format',
    '--indent',
    ...[...'enPCMNcyYjopI'].map((letter) => `-${letter}`),
  ],
};

/** Values that the help tells of in another way. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  du: ['--time none'],
  sort: ['--check required'],
  file: ['--parameter none'],
  killall: ['--younger-than none', '--older-than none'],
  free: ['--seconds none', '--count none'],
  shasum: ['--algorithm none'],
  // Its values need the sign of equality.
  cppcheck: ['enable', 'std', 'language', 'error-exitcode', 'suppress', 'platform', 'template'].map(
    (name) => `--${name} required`,
  ),
  tree: ['--filelimit none', '--charset none', '--sort none'],
};

const tools = [...coreutilsTools, ...findutilsTools, ...textTools, ...machineTools].filter(
  ({ grammar, options }) => grammar !== 'words' && options.length > 0,
);

/**
 * A mistyped option would be taken for understood where the program takes it for another one, or for an abbreviation.
 */
describe('every option of a specification is one of the real program', () => {
  test.each(tools.map((spec) => [spec.names[0] ?? '', spec] as const))('%s', (name, spec) => {
    const help = helpOf(name);
    if (help === undefined) return;
    expect(unknownTo(help, spec, untold[name] ?? [])).toEqual([]);
  });

  test.each(tools.map((spec) => [spec.names[0] ?? '', spec] as const))('%s: values', (name, spec) => {
    const help = helpOf(name);
    if (help === undefined) return;
    expect(otherValues(help, spec).filter((each) => !(otherwise[name] ?? []).includes(each))).toEqual([]);
  });

  test('the test sees a wrong value', () => {
    const help = '  -a, --all=LIST\n  -b, --both[=X]\n  -c, --clear\n  -d, --depth <n>\n';
    const options = ['--all', '--both', '--clear', '--depth'];
    expect(
      otherValues(help, {
        names: ['x'],
        grammar: 'getopt',
        operands: { kind: 'none' },
        options: options.map((each) => ({ names: [each], value: 'none' as const })),
      }),
    ).toEqual(['--all required', '--both optional', '--depth required']);
    expect(
      otherValues(help, {
        names: ['x'],
        grammar: 'getopt',
        operands: { kind: 'none' },
        options: options.map((each) => ({ names: [each], value: 'required' as const })),
      }),
    ).toEqual(['--both optional', '--clear none']);
  });

  test('the test sees a wrong one', () => {
    expect(
      unknownTo(
        '  -a, --all  everything',
        {
          names: ['x'],
          grammar: 'getopt',
          operands: { kind: 'none' },
          options: [{ names: ['-a', '--al'] }, { names: ['-b'] }],
        },
        [],
      ),
    ).toEqual(['--al', '-b']);
  });

  test('most of the programs are here', () => {
    expect(tools.filter(({ names }) => helpOf(names[0] ?? '') !== undefined).length).toBeGreaterThan(60);
  });
});

/** Where the name of a file may be taken for any option, there is none that nobody has looked at. */
describe('where any option is harmless', () => {
  const marked = tools.filter(({ anyOption }) => anyOption === 'harmless');

  test.each(marked.map((spec) => [spec.names[0] ?? '', spec] as const))(
    '%s: every option of the real program is listed',
    (name, spec) => {
      const help = helpOf(name);
      // The help of cut explains lists: `-M` is a range there.
      if (help !== undefined)
        expect(unlisted(help, spec).filter((option) => name !== 'cut' || option !== '-M')).toEqual([]);
    },
  );

  test.each(marked.map((spec) => [spec.names[0] ?? '', spec] as const))(
    '%s: none of them writes, runs or makes the words something else',
    (name, { options, operands, refine, always }) => {
      const risky = options.filter(
        (option) =>
          !['text', undefined].includes(option.role) || option.operands !== undefined || option.effect !== undefined,
      );
      expect(risky.flatMap(({ names }) => names)).toEqual(name === 'wc' ? ['--files0-from'] : []);
      expect(operands.kind === 'each' && operands.role === 'read' && refine === undefined && always === undefined).toBe(
        true,
      );
    },
  );

  test('the test sees one that is not listed', () => {
    expect(
      unlisted('Usage: x\n  -a, --all[=X]  all\n  -b         b\n      --c-d=Y   c\n', {
        names: ['x'],
        grammar: 'getopt',
        operands: { kind: 'none' },
        options: [{ names: ['-a'] }],
      }),
    ).toEqual(['--all', '-b', '--c-d']);
  });

  test('some are marked', () => {
    expect(marked.flatMap(({ names }) => names)).toEqual(
      expect.arrayContaining(['ls', 'cat', 'head', 'tail', 'wc', 'stat', 'cut']),
    );
  });
});

function unlisted(help: string, { options }: ToolSpec): readonly string[] {
  const known = new Set(options.flatMap(({ names }) => names));
  const named = [...help.matchAll(/^ {1,8}(-.*?)(?: {2,}.*)?$/gmu)]
    .flatMap(([, row = '']) => row.split(/,\s*/u))
    .map((word) => /^--?[A-Za-z0-9][\w-]*/u.exec(word)?.[0] ?? '');
  return named.filter((name) => name !== '' && name !== '--help' && name !== '--version' && !known.has(name));
}

/** Of the program that is on this machine; undefined where it is not, or has no help. */
function helpOf(name: string): string | undefined {
  const { error, stdout, stderr } = spawnSync(name, ['--help'], {
    encoding: 'utf8',
    input: '',
    timeout: 5000,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
  });
  const text = `${stdout ?? ''}${stderr ?? ''}`;
  return error === undefined && /[Uu]sage/u.test(text) && text.length > 150 ? text : undefined;
}

function unknownTo(help: string, spec: ToolSpec, untold: readonly string[]): readonly string[] {
  return spec.options
    .flatMap(({ names }) => names)
    .filter((name) => name !== '-#' && name !== '--help' && name !== '--version' && !untold.includes(name))
    .filter(
      (name) =>
        !new RegExp(String.raw`(?:^|[\s,|\[({/'])${name.replaceAll(/[.?$]/gu, String.raw`\$&`)}(?![\w-])`, 'mu').test(
          help,
        ) && !inCluster(help, name),
    );
}

/** Short usages write `[-abc]`. */
function inCluster(help: string, name: string): boolean {
  return /^-[a-z]$/iu.test(name) && new RegExp(String.raw`\[-[A-Za-z]*${name.slice(1)}[A-Za-z]*\]`, 'u').test(help);
}

/** A value taken for an operand, or the other way round, moves every word behind it to another place. */
function otherValues(help: string, spec: ToolSpec): readonly string[] {
  return spec.options.flatMap(({ names, value = 'none' }) =>
    names
      .filter((name) => name.startsWith('--'))
      .flatMap((name) => {
        const found = [
          ...help.matchAll(
            new RegExp(
              String.raw`^ {1,10}(?:-.*[\s,])?${name}(?![\w-])(?<after>\[=|=|\[ ?<|[ =]?<| [A-Z]{2,}\b(?! [a-z])| =[A-Z]|)`,
              'gmu',
            ),
          ),
        ].map(({ groups }) => kindOfValue(groups?.['after'] ?? ''));
        return found.length === 0 || found.includes(value) ? [] : [`${name} ${found[0]}`];
      }),
  );
}

function kindOfValue(after: string): 'none' | 'required' | 'optional' {
  if (after === '') return 'none';
  return after.startsWith('[') ? 'optional' : 'required';
}
