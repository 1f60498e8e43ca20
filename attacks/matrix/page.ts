import { resolve } from 'node:path';
import { attackPath } from '../runner/attack.ts';
import { checklistSection } from './checklist-section.ts';
import { columns } from './columns.ts';
import { exploits } from './exploits.ts';
import { patternsSection } from './patterns.ts';

export interface Matrix {
  readonly machine: { readonly kernel: string; readonly bubblewrap: string };
  /** Texts of cells, for each exploit one for each column. */
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
  'Eight exploits of coding agents that were published, against one layer of defence at a time and against all of them. Each cell is a run: a',
  'repository, a scripted agent without a model that does what the named product did, and canaries in the workspace, on the machine and on a',
  'network of its own. Which layer is enough against what, other tools may order differently: here it is what happened.',
  '',
  '- **succeeds**: every way of the exploit had its effect outside of the box, or where no box was.',
  '- *contained*: code of the repository ran unapproved, and nothing outside of the box noticed.',
  '- *blocked*: it did not even run, or nothing that it sent or wrote arrived.',
  '',
  '```text',
  'npm run threat-matrix                             # writes this page',
  "npm run attacks -- --only 'mindgard-*'            # all patterns, with their controls",
  '```',
];

const remarks = [
  'Why some cells are as they are:',
  '',
  '- A box for tools does not hold a model outside of it: of the orders in names, those that bubblewrap lets through were read and obeyed there. What',
  '  stops them in the other boxes is that characters that do not show are written out on the way.',
  '- A hash that is taken before the file is read leaves time to exchange it; a box that mounts the bytes that were hashed does not.',
  '- In *Started before the question* the policy allows the host that is asked. Where everything was approved unseen, the request may be made.',
  '- *Past the filter of the terminal* removes files of the workspace, which a box without rules about commands is there to allow; staged, they come back.',
  '- A worktree keeps what is written into files apart, and nothing else.',
];

function machineLine({ kernel, bubblewrap }: Matrix['machine']): string {
  return `Made by \`npm run threat-matrix\` on Linux ${kernel} with bubblewrap ${bubblewrap}, as an ordinary user.`;
}

/** What a page says, so that it can be made again from it. Undefined for a page of another shape. */
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
