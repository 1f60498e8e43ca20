import { flags, maybe, opaqueEffect, reads, repositoryCode, takes, warns, writes } from '../notation.ts';
import type { OptionSpec, StandingEffect } from '../types.ts';

const repositoryHooks = repositoryCode("the repository's hooks");

/** They change the working tree and run repositoryHooks, filters and, on conflicts, merge drivers. */
export const checkout: readonly StandingEffect[] = [
  reads('.'),
  writes('.'),
  ...repositoryCode("the repository's repositoryHooks and filters"),
];

export const writesObjects: readonly StandingEffect[] = [reads('.'), writes('.git'), ...repositoryHooks];

export const editor = (option: string): StandingEffect =>
  opaqueEffect('repository-code', `\`${option}\` runs the editor that \`core.editor\` names`);

const signer = (option: string): StandingEffect =>
  opaqueEffect('repository-code', `\`${option}\` runs the program that \`gpg.program\` names`);

export const hunks = warns(
  opaqueEffect('repository-code', '`--patch` runs the program that `interactive.diffFilter` names'),
  '-p --patch',
);

export const signing: readonly OptionSpec[] = [
  { names: ['-S', '--gpg-sign'], value: 'optional', effect: signer('--gpg-sign') },
  ...flags('--no-gpg-sign'),
];

export const merging: readonly OptionSpec[] = [
  ...flags(
    '-q --quiet',
    '-v --verbose',
    '--stat',
    '-n --no-stat',
    '--progress',
    '--no-progress',
    '--autostash',
    '--no-autostash',
    '--allow-unrelated-histories',
    '--rerere-autoupdate',
    '--no-rerere-autoupdate',
    '--abort',
    '--continue',
    '--quit',
    '--skip',
    '--signoff',
    '--no-signoff',
    '--ff',
    '--no-ff',
    '--ff-only',
    '--squash',
    '--no-squash',
    '--commit',
    '--no-commit',
    '--verify',
    '--no-verify',
    '--verify-signatures',
  ),
  ...takes('text', '-X --strategy-option', '--into-name', '-m --message', '--cleanup'),
  ...takes('read', '-F --file'),
  ...maybe('text', '--log'),
  // `-s NAME` runs `git-merge-NAME` from the search path. The built-in ones are as harmless as the merge.
  ...takes('program', '-s --strategy'),
  ...warns(editor('--edit'), '-e --edit'),
  ...flags('--no-edit'),
];
