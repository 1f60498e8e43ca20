import { backends, users, type Backend, type UserName } from './attack.ts';
import { totalsLine, totalsOf } from './report.ts';
import type { Result } from './perform.ts';

/** `docs/attacks.md`: every attack with its results without Holdfast and in each box. */
export function attackTable(results: readonly Result[], machine: string): string {
  const names = [...new Set(results.map(({ name }) => name))];
  const columns = backends
    .flatMap((backend) => users.map((user): readonly [Backend, UserName] => [backend, user]))
    .filter(([backend]) =>
      results.some(
        (result) => result.backend === backend && (result.outcome.kind !== 'skipped' || result.control !== 'worked'),
      ),
    );
  return [
    '# Attacks',
    '',
    ...introduction,
    '',
    `Made by \`npm run attacks:page\` on ${machine}. *Without* shows whether the attack succeeds without Holdfast,`,
    'as root / as a user. The other columns show its result inside the box:',
    '',
    '- `blocked`: it ran, it failed, and it left no process, mount, control group or file behind.',
    '- `refused`: the backend cannot enforce that box. It named the missing guarantee and started nothing.',
    '- `–`: not tried. The attack is for other users or backends, or for the first case only: on backends other than native and bubblewrap,',
    '  an ordinary user tries the first case of each attack.',
    '',
    'The file of each attack describes it, and names the control that stops it.',
    '',
    `${totalsLine(totalsOf(results))}.`,
    '',
    ...untriedLines(results),
    '',
    row([
      'Attack',
      'What it does',
      'Reported by',
      'Without',
      ...columns.map(([backend, user]) => `${backend}, ${user}`),
    ]),
    row(Array.from({ length: 4 + columns.length }, () => '---')),
    ...names.map((name) =>
      attackRow(
        results.filter((result) => result.name === name),
        columns,
      ),
    ),
    '',
    ...openSection(results),
    ...refusedSection(results),
    '## Skipped here, and why',
    '',
    ...skippedLines(results),
    '',
  ].join('\n');
}

const introduction = [
  'Each Markdown file below `attacks/` is one attack: its description and source, a fixture, the attack, and a check of its success.',
  'The runner first tries it without Holdfast: this control must succeed. Then it tries it in a box of every backend, as root and as',
  'an ordinary user, and looks for anything left behind.',
  '',
  '```text',
  'npm run attacks                       # all of them; the last line is the total',
  "npm run attacks -- --only 'git-*'     # some of them",
  'npm run attacks:page                  # all of them, into this page',
  '```',
  '',
  'If a control cannot succeed on the machine, the runner skips the attack and says why. If an attack is known to succeed in the box,',
  'its state is open: the page names the remedy, and the run fails as soon as the attack is blocked.',
];

/** Families that are missing on one backend, while others have them. */
function untriedLines(results: readonly Result[]): readonly string[] {
  return backends.flatMap((backend) => {
    const families = [...Map.groupBy(results, ({ family }) => family)]
      .filter(([, those]) => !those.some((result) => result.backend === backend))
      .map(([family]) => `\`${family}-*\``);
    return families.length === 0 || !results.some((result) => result.backend === backend)
      ? []
      : [`- ${families.toSorted().join(', ')}: not tried on ${backend}.`];
  });
}

function openSection(results: readonly Result[]): readonly string[] {
  const lines = new Set(
    results.flatMap(({ name, outcome }) =>
      outcome.kind === 'open' ? [`- \`${escape(name)}\`: ${escape(outcome.gap)}`] : [],
    ),
  );
  return lines.size === 0 ? [] : ['## Open: these succeed, and why', '', ...lines, ''];
}

/** The boxes that a backend does not build, and the missing guarantees. */
function refusedSection(results: readonly Result[]): readonly string[] {
  const refused = results.flatMap(({ name, backend, outcome }) =>
    outcome.kind === 'refused' ? [{ name, why: `${backend}, without ${outcome.missing.join(', ')}` }] : [],
  );
  const lines = [...Map.groupBy(refused, ({ why }) => why)].map(
    ([why, those]) => `- ${why}: ${[...new Set(those.map(({ name }) => `\`${escape(name)}\``))].join(', ')}`,
  );
  return lines.length === 0 ? [] : ['## Refused: boxes that a backend cannot enforce', '', ...lines, ''];
}

/**
 * A trial whose control failed is skipped for every backend, and named once. The same holds for a backend that does not
 * work here.
 */
function skippedLines(results: readonly Result[]): readonly string[] {
  const lines = results.flatMap(({ name, user, backend, control, outcome }) =>
    outcome.kind === 'skipped'
      ? [
          `- ${control === 'worked' ? `everything on ${backend}` : `\`${escape(name)}\`, ${user}`}: ${escape(outcome.reason)}`,
        ]
      : [],
  );
  return Array.from(new Set(lines));
}

function attackRow(results: readonly Result[], columns: readonly (readonly [Backend, UserName])[]): string {
  const [first] = results;
  if (first === undefined) return '';
  const controls = users.map((user) => controlWord(results.find((result) => result.user === user)));
  const cells = columns.map(([backend, user]) =>
    outcomeWord(results.find((result) => result.backend === backend && result.user === user)),
  );
  return row([`\`${escape(first.name)}\``, escape(first.title), escape(first.source), controls.join(' / '), ...cells]);
}

function controlWord(result: Result | undefined): string {
  if (result === undefined) return '–';
  return result.control === 'worked' ? 'succeeds' : result.control === 'failed' ? 'does not work here' : 'not run';
}

const words = {
  passed: 'blocked',
  failed: '**failed**',
  open: '**open**',
  skipped: 'skipped',
  refused: 'refused',
} as const;

function outcomeWord(result: Result | undefined): string {
  if (result === undefined) return '–';
  return words[result.outcome.kind];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function escape(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
