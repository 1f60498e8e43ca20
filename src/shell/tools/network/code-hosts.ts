import { each, toolFamily, flags, opaqueEffect, reaches, repositoryCode, takes, tool } from '../notation.ts';
import type { ToolSpec } from '../types.ts';

/** Hosts that the tools of code hosts reach. `--hostname` and `GH_HOST` name others. */
export const codeHost = (names: string, host: string, groups: string): ToolSpec =>
  toolFamily(
    names,
    [
      tool('help version', { operands: each('text') }),
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
              ),
            ],
            operands: each('text'),
            always: [reaches(host)],
          }),
          tool('create edit close reopen comment merge review delete rerun cancel', {
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
        ]),
      ),
    ],
    { options: flags('--version', '--help') },
  );
