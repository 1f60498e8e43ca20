import * as v from 'valibot';
import { decisionLists } from './decision-lists.ts';
import type { Feature } from './feature.ts';

const unknown = v.optional(
  v.pipe(
    v.picklist(['ask', 'allow', 'deny']),
    v.description(
      'What becomes of a command whose tool, options or words nobody knows. "ask" (default); "allow" only if no other policy says otherwise. Of no effect where no policy says anything about commands',
    ),
  ),
);

const git = v.optional(
  v.pipe(
    v.picklist(['neutral', 'as-is']),
    v.description(
      'How commands of git that read (status, diff, log) are run: "neutral" (default), so that nothing runs that the configuration of a repository names, or "as-is". Of no effect where no policy says anything about commands',
    ),
  ),
);

export const commands = {
  name: 'commands',
  policy: {
    commands: v.optional(
      v.pipe(v.strictObject({ ...decisionLists, unknown, git }), v.description('Commands, e.g. "git push --force"')),
    ),
  },
  settings: { unknownCommands: 'commands.unknown', gitCommands: 'commands.git' },
  patterns: { 'commands.allow': 'command', 'commands.ask': 'command', 'commands.deny': 'command' },
} as const satisfies Feature;
