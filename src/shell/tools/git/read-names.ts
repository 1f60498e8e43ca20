import { each, flags, maybe, none, opaqueEffect, repositoryCode, takes, tool, warns } from '../notation.ts';
import type { ToolSpec } from '../types.ts';
import { writesGitDirectory, changesWith, listFormats, readsTree } from './list-options.ts';

export const names: readonly ToolSpec[] = [
  tool('rev-parse', {
    options: [
      ...flags(
        '--verify',
        '-q --quiet',
        '--revs-only',
        '--no-revs',
        '--flags',
        '--no-flags',
        '--symbolic',
        '--symbolic-full-name',
        '--all',
        '--show-toplevel',
        '--show-prefix',
        '--show-cdup',
        '--git-dir',
        '--absolute-git-dir',
        '--git-common-dir',
        '--is-inside-git-dir',
        '--is-inside-work-tree',
        '--is-bare-repository',
        '--is-shallow-repository',
        '--show-superproject-working-tree',
        '--shared-index-path',
        '--local-env-vars',
        '--sq',
      ),
      ...takes('text', '--default', '--git-path', '--prefix'),
      ...maybe(
        'text',
        '--short',
        '--abbrev-ref',
        '--branches',
        '--tags',
        '--remotes',
        '--path-format',
        '--show-object-format',
      ),
    ],
    operands: each('text'),
    always: readsTree,
  }),
  tool('describe', {
    options: [
      ...flags('--all', '--tags', '--contains', '--long', '--always', '--first-parent', '--exact-match', '--debug'),
      ...takes('text', '--match', '--exclude', '--candidates'),
      ...maybe('text', '--abbrev', '--dirty', '--broken'),
    ],
    operands: each('text'),
    always: readsTree,
  }),
  tool('name-rev', {
    options: [
      ...flags('--tags', '--name-only', '--all', '--always', '--no-undefined'),
      ...takes('text', '--refs', '--exclude'),
    ],
    operands: each('text'),
    always: readsTree,
  }),
  tool('merge-base', {
    options: flags('-a --all', '--octopus', '--independent', '--is-ancestor', '--fork-point'),
    operands: each('text'),
    always: readsTree,
  }),
  tool('for-each-ref', { options: listFormats, operands: each('text'), always: readsTree }),
  tool('show-ref', {
    options: [
      ...flags('--head', '--heads', '--branches', '--tags', '-d --dereference', '--verify', '-q --quiet'),
      ...maybe('text', '-s --hash', '--abbrev'),
    ],
    operands: each('text'),
    always: readsTree,
  }),
  tool('check-ignore', {
    options: flags('-q --quiet', '-v --verbose', '--stdin', '-z', '-n --non-matching', '--no-index'),
    operands: each('text'),
    always: readsTree,
  }),
  tool('check-attr', {
    options: flags('-a --all', '--stdin', '-z', '--cached'),
    operands: each('text'),
    always: readsTree,
  }),
  tool('verify-pack', { options: flags('-v --verbose', '-s --stat-only'), operands: each('read') }),
  tool('count-objects', { options: flags('-v --verbose', '-H --human-readable'), always: readsTree }),
  tool('show-branch', {
    options: [
      ...flags(
        '-a --all',
        '-r --remotes',
        '--list',
        '--topo-order',
        '--date-order',
        '--sparse',
        '--sha1-name',
        '--no-name',
        '--merge-base',
        '--independent',
        '--topics',
        '--current',
      ),
      ...maybe('text', '--more', '--color', '-g --reflog'),
    ],
    operands: each('text'),
    always: readsTree,
  }),
  tool('verify-commit verify-tag', {
    options: flags('-v --verbose', '--raw'),
    operands: each('text'),
    always: [...readsTree, ...repositoryCode('the program that `gpg.program` names')],
  }),
  tool('symbolic-ref', {
    options: [
      ...flags('-q --quiet', '--short', '--recurse', '--no-recurse'),
      ...warns(writesGitDirectory, '-d --delete'),
      ...takes('text', '-m'),
    ],
    operands: each('text'),
    always: readsTree,
    refine: changesWith(2),
  }),
  tool('hash-object', {
    options: [
      ...flags('--stdin', '--literally'),
      ...takes('text', '-t'),
      ...warns(writesGitDirectory, '-w'),
      ...warns(opaqueEffect('repository-code', 'the filters that the repository configures run'), '--path'),
    ],
    operands: each('read'),
    always: [...readsTree, ...repositoryCode("the repository's filters")],
  }),
  tool('cherry', {
    options: [...flags('-v --verbose'), ...maybe('text', '--abbrev')],
    operands: each('text'),
    always: readsTree,
  }),
  tool('version', { options: flags('--build-options'), operands: none }),
  tool('var', { options: flags('-l'), operands: each('text'), always: readsTree }),
];
