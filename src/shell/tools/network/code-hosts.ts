import { each, toolFamily, flags, noSpan, opaqueEffect, reaches, repositoryCode, takes, tool } from '../notation.ts';
import { hasOption, optionValues } from '../parsed-options.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { plainText } from '../words.ts';

/** Hosts that the tools of code hosts reach. `--hostname` and `GH_HOST` name others. */
export const codeHost = (
  names: string,
  host: string,
  { groups, own = [] }: { readonly groups: string; readonly own?: readonly ToolSpec[] },
): ToolSpec =>
  toolFamily(
    names,
    [
      tool('help version completion', { operands: each('text') }),
      ...own,
      ...groups.split(' ').map((group) =>
        toolFamily(group, [
          tool('list view status diff checks ls show', {
            options: [
              ...flags('-c --comments', '--log', '--log-failed', '--name-only', '-v --verbose'),
              ...takes(
                'text',
                '-R --repo',
                '-L --limit',
                '-s --state',
                '-l --label',
                '-A --author',
                '-a --assignee',
                '-S --search',
                '--json',
                '-q --jq',
                '-t --template',
                '-B --base',
                '-H --head',
                '--job',
                '-b --branch',
                '--workflow',
                '--milestone',
                '--event',
                '--sort',
                '--order',
              ),
            ],
            operands: each('text'),
            always: [reaches(host)],
          }),
          ...['create edit close reopen comment merge review rerun cancel', 'delete'].map((names) =>
            tool(names, {
              options: [
                ...flags(
                  '-d --draft',
                  '-f --fill',
                  '-m --merge',
                  '-r --rebase',
                  '-s --squash',
                  '-y --yes',
                  '--approve',
                  '--auto',
                  '--private',
                  '--public',
                  '--failed',
                ),
                ...takes(
                  'text',
                  '-t --title',
                  '-b --body',
                  '-R --repo',
                  '-B --base',
                  '-H --head',
                  '-l --label',
                  '-a --assignee',
                  '--add-label',
                ),
                ...takes('read', '-F --body-file'),
              ],
              operands: each('text'),
              always: [
                reaches(host),
                opaqueEffect('unknown-option', `changes something on ${host}`),
                ...repositoryCode('git, with the configuration of the repository'),
              ],
            }),
          ),
        ]),
      ),
    ],
    { options: flags('--version', '--help') },
  );

/** `gh api` asks, unless an option names another method or adds fields. `gh alias` may name programs of the shell. */
const asksApi: Refine = (parsed) => {
  const changing = optionValues(parsed, '-X', '--method').some((word) => plainText(word) !== 'GET');
  const isSent = hasOption(parsed, '-f', '--field', '--input') && optionValues(parsed, '-X', '--method').length === 0;
  return changing || isSent
    ? { opaque: [{ kind: 'unknown-option', message: 'may change something on the host', span: noSpan }] }
    : {};
};

const search = takes('text', '-L --limit', '--json', '-q --jq', '-t --template', '-R --repo', '--owner', '--language');

/** Subcommands that only `gh` has. */
export const ownOfGitHub: readonly ToolSpec[] = [
  tool('api', {
    options: [
      ...flags('--paginate', '-i --include', '--silent', '--slurp', '--verbose'),
      ...takes('text', '-q --jq', '-t --template', '-H --header', '--cache', '-p --preview', '-X --method'),
      ...takes('text', '-f --raw-field', '-F --field'),
      ...takes('read', '--input'),
    ],
    operands: each('text'),
    always: [reaches('api.github.com')],
    refine: asksApi,
  }),
  toolFamily('auth', [
    tool('status', {
      options: [...flags('-a --active', '-t --show-token'), ...takes('text', '-h --hostname')],
      always: [reaches('api.github.com')],
    }),
  ]),
  toolFamily('search', [
    tool('code issues prs repos commits', {
      options: [...search, ...takes('text', '--state', '--author', '--label', '--sort', '--order', '--filename')],
      operands: each('text'),
      always: [reaches('api.github.com')],
    }),
  ]),
  ...['secret', 'variable', 'cache', 'ruleset', 'project', 'org'].map((name) =>
    toolFamily(name, [
      tool('list ls', { options: search, operands: each('text'), always: [reaches('api.github.com')] }),
    ]),
  ),
  ...['alias', 'extension', 'config'].map((name) => toolFamily(name, [tool('list ls', {})])),
];
