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
    `Made by \`npm run attacks:page\` on ${machine}. *Without* says whether the attack works when Holdfast is not there`,
    '(as root / as a user); the other columns say what became of it inside the box. `blocked` means: it ran, it did not',
    'succeed, and no process, mount, control group or file was left; `refused`: the backend cannot enforce that box, says which guarantee',
    'is missing, and started nothing; `–`: not tried there, because it is for other users or backends, or because the backend is another than',
    'native and bubblewrap, where an ordinary user tries the first case of each. What each attack does, and what stops it, stands in its file.',
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
  'Each Markdown file below `attacks/` is one attack: what it is and who reported it, a fixture, the attack, and how to see whether it',
  'succeeded. The runner tries it without Holdfast first (the control, which must succeed) and then inside a box of every',
  'backend, as root and as an ordinary user, and looks for anything that was left behind.',
  '',
  '```text',
  'npm run attacks                       # all of them; the last line is the total',
  "npm run attacks -- --only 'git-*'     # some of them",
  'npm run attacks:page                  # all of them, into this page',
  '```',
  '',
  'An attack whose control cannot succeed on the machine is reported as skipped, with the reason. An attack that is known to',
  'succeed in the box is reported as open, with what will close it, and fails the run as soon as it no longer does.',
];

/** Families that are missing on one backend, while others have them. */
function untriedLines(results: readonly Result[]): readonly string[] {
  return backends.flatMap((backend) => {
    const families = [...Map.groupBy(results, ({ family }) => family)]
      .filter(([, those]) => !those.some((result) => result.backend === backend))
      .map(([family]) => `\`${family}-*\``);
    return families.length === 0 || !results.some((result) => result.backend === backend)
      ? []
      : [`- Nothing was tried on ${backend} of ${families.toSorted().join(', ')}.`];
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
