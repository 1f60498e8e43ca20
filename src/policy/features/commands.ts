import * as v from 'valibot';
import { commandClasses, compareClasses } from '../../shell/class/command-class.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { decisionLists } from './decision-lists.ts';
import type { Feature } from './feature.ts';

const unknown = v.optional(
  v.pipe(
    v.picklist(['ask', 'allow', 'deny']),
    v.description(
      'The decision about a command with an unknown tool, option or word. "ask" (default); "allow" only if no other policy says otherwise. No effect without a rule about commands',
    ),
  ),
);

const git = v.optional(
  v.pipe(
    v.picklist(['neutral', 'as-is']),
    v.description(
      'How Holdfast runs git commands that only read, such as status, diff and log. "neutral" (default): without programs that the configuration of a repository names. "as-is": unchanged. No effect without a rule about commands',
    ),
  ),
);

const programs = v.optional(
  v.pipe(
    v.picklist(['any', 'installed']),
    v.description(
      'The programs that a box may run. "any" (default). "installed": only those on mounts that it cannot write, so no copy, download or library of its own. The loader and library loading are held too. Programs that a build makes do not run either',
    ),
  ),
);

const above = (what: string) =>
  v.optional(v.pipe(v.picklist(commandClasses.filter((name) => name !== 'anything')), v.description(what)));

const limits = {
  ask_above: above(
    'Holdfast asks about commands above this class, e.g. "reads": about commands that do more than read. From weak to strong: "reads", "writes the workspace", "reaches out", "leaves the session behind", "changes the machine", "destroys", and commands of unknown effect. With this key, the policy does not ask about unknown words in a weaker command',
  ),
  deny_above: above('Holdfast refuses commands above this class. The classes are those of ask_above'),
} as const;

const policy = {
  commands: v.optional(
    v.pipe(
      v.strictObject({ ...decisionLists, ...limits, unknown, git, programs }),
      v.description('Commands, e.g. "git push --force"'),
    ),
  ),
} as const;

/** Refusing commands needs no approver. */
function findings({ commands }: PolicyPart<typeof policy>): readonly DocumentFinding[] {
  const { ask_above: ask, deny_above: deny } = commands ?? {};
  if (ask === undefined || deny === undefined || compareClasses(ask, deny) < 0) return [];
  return [
    {
      at: 'commands.ask_above',
      message: `commands.ask_above = "${ask}" asks about nothing, because deny_above = "${deny}" refuses all that is stronger`,
      remedy: 'take one of them out, or let deny_above be the stronger class',
    },
  ];
}

const installed = { guarantee: 'fs.exec', project: 'version = 1\n[commands]\nprograms = "installed"\n' } as const;

export const commands = {
  name: 'commands',
  policy,
  findings,
  settings: {
    unknownCommands: 'commands.unknown',
    gitCommands: 'commands.git',
    programs: 'commands.programs',
    askAbove: 'commands.ask_above',
    denyAbove: 'commands.deny_above',
  },
  proofs: [
    { ...installed, title: 'run a copy of a program', attempt: 'cp "$(command -v env)" copy && ./copy true' },
    {
      ...installed,
      title: 'run a copy from private memory',
      attempt: 'cp "$(command -v env)" /tmp/copy-$$ && /tmp/copy-$$ true; ended=$?; rm -f /tmp/copy-$$; exit $ended',
    },
  ],
  patterns: { 'commands.allow': 'command', 'commands.ask': 'command', 'commands.deny': 'command' },
} as const satisfies Feature;
