import { resolve } from 'node:path';
import { attackPath } from '../runner/attack.ts';
import { checklistSection } from './checklist-section.ts';
import { columns } from './columns.ts';
import { exploits } from './exploits.ts';
import { patternsSection } from './patterns.ts';

export interface Matrix {
  readonly machine: { readonly kernel: string; readonly bubblewrap: string };
  /** Texts of cells: for each exploit, one for each column. */
  readonly rows: readonly (readonly string[])[];
}

export const pagePath = resolve(import.meta.dirname, '../../docs/threat-matrix.md');

/** `docs/threat-matrix.md`. */
export function matrixPage(matrix: Matrix): string {
  return [
    '# Threat matrix',
    '',
    ...introduction,
    '',
    machineLine(matrix.machine),
    '',
    line(['Exploit', 'Found in', ...columns.map(({ title }) => title)]),
    line(Array.from({ length: 2 + columns.length }, () => '---')),
    ...exploits.map(({ title, product, attack }, index) =>
      line([`[${title}](../attacks/${attackPath(attack)})`, product, ...(matrix.rows[index] ?? [])]),
    ),
    '',
    ...remarks,
    '',
    '## Columns',
    '',
    ...columns.map(
      ({ title, what, rig }) =>
        `- **${title}**: ${what}${rig.kind === 'not run here' ? ` (not run here: ${rig.reason})` : ''}.`,
    ),
    '',
    ...patternsSection(),
    '',
    ...checklistSection(),
    '',
  ].join('\n');
}

const introduction = [
  'Compare eight published exploits of coding agents against one layer of defence at a time, and against all of them. Each cell is the result of a',
  'run. A scripted agent, without a model, repeats the actions of the named product in a repository. Canaries are in the workspace, on the machine and on a',
  'separate network. The table shows the results of these runs, and makes no claim about other tools.',
  '',
  '- **succeeds**: every variant of the exploit had its effect outside the box, or there was no box.',
  '- *contained*: code of the repository ran unapproved, with no effect outside the box.',
  '- *blocked*: the code did not run, or nothing that it sent or wrote arrived.',
  '',
  '```text',
  'npm run threat-matrix                             # writes this page',
  "npm run attacks -- --only 'mindgard-*'            # all patterns, with their controls",
  '```',
];

const remarks = [
  'Why some cells are as they are:',
  '',
  '- A box around tools does not confine a model outside it. The model outside reads and obeys the orders in names that bubblewrap lets through. The',
  '  other boxes stop such orders, because they reveal invisible characters on the way.',
  '- A hash of a file before its use leaves time to exchange the file. A box that mounts the hashed bytes leaves none.',
  '- In *Started before the question*, the policy allows the contacted host. A box may make the request where everything was approved unseen.',
  '- *Past the terminal filter* removes files of the workspace, and a box without rules about commands allows that. After a staged run they come back.',
  '- A worktree separates written files, and nothing else.',
];

function machineLine({ kernel, bubblewrap }: Matrix['machine']): string {
  return `Made by \`npm run threat-matrix\` on Linux ${kernel} with bubblewrap ${bubblewrap}, as an ordinary user.`;
}

/** The page's content, from which it can be made again. Undefined for a page of another form. */
export function readMatrix(page: string): Matrix | undefined {
  const machine =
    /^Made by `npm run threat-matrix` on Linux (\S+) with bubblewrap (\S+), as an ordinary user\.$/mu.exec(page);
  if (machine === null) return undefined;
  const rows = exploits.map(
    ({ attack }) =>
      page
        .split('\n')
        .find((text) => text.includes(`](../attacks/${attackPath(attack)}) |`))
        ?.split(' | ')
        .slice(2) ?? [],
  );
  return {
    machine: { kernel: machine[1] ?? '', bubblewrap: machine[2] ?? '' },
    rows: rows.map((cells) => cells.map((cell) => cell.replace(/ \|$/u, ''))),
  };
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
