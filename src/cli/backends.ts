import type { Strength } from '../backends/backend.ts';
import { type Choice, chooseCandidate } from '../backends/lattice/choose.ts';
import { demandOf, describeLevel } from '../backends/lattice/vectors.ts';
import type { Guarantee } from '../plan/types.ts';
import { guaranteeNames as guarantees } from '../policy/guarantees.ts';
import { everyBox } from '../policy/settings/levels.ts';
import { type BackendReport, examineBackends } from '../sandbox/doctor/examine.ts';
import { isBroken, type ProofResult } from '../sandbox/doctor/prove.ts';
import { coloursOf, type Command, isSet, jsonText, safeText } from './command.ts';
import { escapesTried } from './escapes-tried.ts';

const usage = `usage: holdfast backends [--prove] [--json]

Lists every backend: whether it works here, how it holds each guarantee, and which one \`auto\` takes for the default
policy. It starts a few boxes per backend to find out. --prove also runs the escape attempts of
\`holdfast doctor --prove\` in throw-away boxes of every working backend, and counts how many each guarantee stopped.
Exits with 0 when \`auto\` finds a backend (and, with --prove, the kernel stopped every attempt it should), otherwise 1.`;

export const backendsCommand: Command = {
  name: 'backends',
  usage,
  options: { prove: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    const { values, io } = input;
    const backends = await examineBackends(io.environment);
    const working = backends.filter(({ start }) => start.kind === 'works').map(({ name }) => name);
    const proofs = await escapesTried(input, working);
    const page: Page = { backends, auto: automatic(backends), proofs };
    io.stdout.write(
      isSet(values['json']) ? jsonText({ ...page, generated }) : backendsPage(page, generated, coloursOf(io)),
    );
    return page.auto.kind === 'chosen' && !proofs.some(isBroken) ? 0 : 1;
  },
};

/** Names of the renderings for machines that this project does not have. */
const generated: Readonly<Record<string, string>> = {
  seatbelt: 'generated, not run: `holdfast plan --backend seatbelt` prints what a Mac would get',
  windows: 'generated, not run: see docs/platforms.md',
  lima: 'generated, not run: hands the run over to the Holdfast in the guest',
  wsl2: 'generated, not run: hands the run over to the Holdfast in the guest',
};

/** The automatic choice for the default policy, by the probes. */
function automatic(backends: readonly BackendReport[]): Choice {
  const candidates = backends.map(({ name, guarantees, start }) => ({
    name,
    vector: guarantees,
    ...(start.kind === 'works' ? {} : { trouble: start.reason }),
  }));
  return chooseCandidate(candidates, demandOf({ requires: [...everyBox, 'net.closed'] }));
}

export interface Page {
  readonly backends: readonly BackendReport[];
  readonly auto: Choice;
  readonly proofs: readonly ProofResult[];
}

type Colours = 'coloured' | 'plain';

interface Cell {
  readonly text: string;
  readonly tone?: Strength;
}

const gap = 2;
const codes: Readonly<Record<Strength, string>> = { kernel: '32', partial: '33', none: '2' };

/**
 * Renders a table of guarantees and backends, with a line for each. `generated`: renderings for other machines, with a
 * remark on each.
 */
export function backendsPage(page: Page, generated: Readonly<Record<string, string>>, colours: Colours): string {
  const working = page.backends.filter(({ start }) => start.kind === 'works');
  const head: readonly Cell[] = [{ text: '' }, ...working.map(({ name }) => ({ text: name }))];
  const levels: readonly Cell[] = [{ text: 'level' }, ...working.map(({ level }) => ({ text: describeLevel(level) }))];
  const rows = guarantees.map((guarantee): readonly Cell[] => [
    { text: guarantee },
    ...working.map((report) => strengthCell(report, guarantee, page.proofs)),
  ]);
  const lines = [
    ...page.backends.map((report) => [report.name, stateOf(report)] as const),
    ...Object.entries(generated),
    ['auto', choiceText(page.auto)] as const,
  ];
  const states = lines.map(([name, text]) => `${name.padEnd(12)}${safeText(text)}\n`);
  return [...(working.length === 0 ? [] : [...table([head, levels, ...rows], colours), '\n']), ...states].join('');
}

/** Adds the number of escape attempts that it held, if any ran. */
function strengthCell(
  { name, guarantees: vector }: BackendReport,
  guarantee: Guarantee,
  proofs: readonly ProofResult[],
): Cell {
  const tone = vector[guarantee];
  const tried = proofs.filter(
    (proof) => proof.backend === name && proof.guarantee === guarantee && proof.result !== 'inconclusive',
  );
  const held = tried.filter(({ result }) => result === 'held').length;
  return { text: tried.length === 0 ? tone : `${tone} ${held}/${tried.length}`, tone };
}

function stateOf({ presence, start, network, missing }: BackendReport): string {
  if (presence.kind === 'absent') return `absent: ${presence.remedy}`;
  if (start.kind === 'fails') return `does not work (${presence.version}): ${start.reason}; ${start.remedy}`;
  const landlock = start.landlockAbi === 0 ? 'no Landlock' : `Landlock ABI ${start.landlockAbi}`;
  const reach =
    network.kind === 'fails'
      ? `no open network: ${network.reason}`
      : `names on ${network.kind === 'every-port' ? 'every port' : 'listed ports'}`;
  return `works (${presence.version}): ${[landlock, reach, ...(missing.length === 0 ? [] : [`not held in the kernel: ${missing.join(', ')}`])].join('; ')}`;
}

function choiceText(choice: Choice): string {
  return choice.kind === 'chosen'
    ? `takes ${choice.name} for the default policy`
    : 'takes none for the default policy: none holds in the kernel what it demands; `--backend NAME` accepts gaps';
}

function table(rows: readonly (readonly Cell[])[], colours: Colours): readonly string[] {
  const widths = (rows[0] ?? []).map(
    (_, column) => Math.max(...rows.map((row) => row[column]?.text.length ?? 0)) + gap,
  );
  return rows.map(
    (row) =>
      `${row.map(({ text, tone }, column) => paint(text, tone, colours) + ' '.repeat(column === row.length - 1 ? 0 : (widths[column] ?? 0) - text.length)).join('')}\n`,
  );
}

function paint(text: string, tone: Strength | undefined, colours: Colours): string {
  return colours === 'plain' || tone === undefined ? text : `\u001B[${codes[tone]}m${text}\u001B[m`;
}
