/**
 * git: its subcommands, the programs that a repository can make them run, and their neutral form. Nothing is looked up
 * on the machine.
 */
import type { Opacity, Word } from '../../types.ts';
import { toolFamily, flags, maybe, opaqueEffect, takes, warns, warnsTaking } from '../notation.ts';
import type { OptionSpec, ParsedArguments, Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { gitConfig } from './config.ts';
import { isHarmlessKey } from './keys.ts';
import { isNeutralGit, neutralGlobals } from './neutralise.ts';
import { gitPlumbing } from './plumbing.ts';
import { gitReading } from './read.ts';
import { gitRemote } from './remote.ts';
import { gitWriting } from './write.ts';

export { neutralEnvironment, neutralGit } from './neutralise.ts';

const options: readonly OptionSpec[] = [
  ...takes('directory', '-C'),
  ...takes('text', '-c'),
  ...flags(
    '-P --no-pager',
    '--no-optional-locks',
    '--literal-pathspecs',
    '--glob-pathspecs',
    '--noglob-pathspecs',
    '--icase-pathspecs',
    '--no-replace-objects',
    '--no-lazy-fetch',
    '--bare',
    '-v --version',
    '--html-path',
    '--man-path',
    '--info-path',
  ),
  ...maybe('program', '--exec-path'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--git-dir` takes configuration, which can name programs, from another directory'),
    '--git-dir',
  ),
  ...warns(
    opaqueEffect('repository-code', '`--paginate` runs the pager that the repository configures'),
    '-p --paginate',
  ),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--work-tree` takes files and their attributes from another directory'),
    '--work-tree',
  ),
  ...warnsTaking(opaqueEffect('unknown-option', '`--namespace` changes the meaning of names'), '--namespace'),
  ...warnsTaking(
    opaqueEffect('inline-code', '`--config-env` sets configuration that can name programs'),
    '--config-env',
  ),
  ...warns(
    opaqueEffect('repository-code', '`--help` runs the viewer that `man.viewer` or `help.browser` names'),
    '-h --help',
  ),
];

/**
 * Even commands that only read run what `.git/config` and `.gitattributes` name. Each of these forms was published
 * against programs that allow `git status` or `git diff` by name.
 */
const refine: Refine = (parsed) => {
  const opaque = parsed.options.flatMap(({ spelled, value }) =>
    spelled === '-c' && value !== undefined ? settingOpacity(value) : [],
  );
  const name = parsed.operands[0];
  if (name === undefined || !isSilent(name) || isNeutralGit(textsOf(parsed))) return { opaque };
  const what = "the monitor, filters, pager, drivers and signature checkers that the repository's configuration names";
  const message = `\`git ${wordAsTyped(name)}\` can run ${what}`;
  return {
    opaque: [...opaque, { kind: 'repository-code', message, span: name.span, atMost: 'reads' }],
    runs: [{ what, kind: 'repository-code' }],
  };
};

const subcommands: readonly ToolSpec[] = [...gitReading, gitConfig, ...gitWriting, ...gitRemote, ...gitPlumbing];

/**
 * Known subcommands whose own entry does not list the repository's programs that they run. Any of them can run
 * something.
 */
const silent = new Set(
  subcommands
    .filter(({ names, always = [] }) => !names.includes('version') && !always.some(({ kind }) => kind === 'runs'))
    .flatMap(({ names }) => names),
);

const isSilent = (name: Word): boolean => silent.has(plainText(name) ?? '');

/** Unknown subcommands are aliases, or programs called `git-NAME`. */
const git: ToolSpec = toolFamily('git', subcommands, { options, refine });

export const gitTools: readonly ToolSpec[] = [git];

/** Settings of the neutral form only remove things, and are known. */
function settingOpacity(setting: Word): readonly Opacity[] {
  const text = plainText(setting);
  if (text !== undefined && (isHarmlessKey(text) || neutralGlobals.includes(text))) return [];
  return [
    {
      kind: 'inline-code',
      message: `\`-c ${wordAsTyped(setting)}\` can name a program that git runs`,
      span: setting.span,
    },
  ];
}

/** Options and operands as written. `-C` and `-c` are the only ones with a value that a neutral form has. */
function textsOf(parsed: ParsedArguments): readonly string[] {
  const words = [
    ...parsed.options.flatMap(({ spelled, value }) =>
      value === undefined ? [spelled] : [spelled, plainText(value) ?? '$'],
    ),
    ...parsed.operands.map((word) => plainText(word) ?? '$'),
  ];
  return ['git', ...words];
}
