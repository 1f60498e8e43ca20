import type { Strength } from '../backends/backend.ts';
import { type Choice, chooseCandidate } from '../backends/lattice/choose.ts';
import { demandOf, describeLevel } from '../backends/lattice/vectors.ts';
import type { Guarantee } from '../plan/types.ts';
import { guaranteeNames as guarantees } from '../policy/guarantees.ts';
import { everyBox } from '../policy/settings/levels.ts';
import { type BackendReport, examineBackends } from '../sandbox/doctor/examine.ts';
import { isBroken, type ProofResult } from '../sandbox/doctor/prove.ts';
import type { SignTone } from '../text/signs.ts';
import { type Command, isSet, jsonText, safeText } from './command.ts';
import { escapesTried } from './escapes-tried.ts';
import { type Look, lookOf } from './terminal/look.ts';
import { type TableColumn, terminalTable } from './terminal/terminal-table.ts';

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
      isSet(values['json']) ? jsonText({ ...page, generated }) : backendsPage(page, generated, lookOf(io)),
    );
    return page.auto.kind === 'chosen' && !proofs.some(isBroken) ? 0 : 1;
  },
};

/** Names of the renderings for machines that this project does not have. */
const generated: Readonly<Record<string, string>> = {
  seatbelt: 'generated, not run: `holdfast plan --backend seatbelt` prints the profile for a Mac',
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

/** The display of each strength: enforced, partly enforced, not enforced. */
const tonesOf: Readonly<Record<Strength, SignTone>> = { kernel: 'allowed', partial: 'warning', none: 'plain' };

/**
 * Renders a table of guarantees and backends, with a line for each. `generated`: renderings for other machines, with a
 * remark on each.
 */
export function backendsPage(page: Page, generated: Readonly<Record<string, string>>, look: Look): string {
  const working = page.backends.filter(({ start }) => start.kind === 'works');
  const columns: readonly TableColumn<Guarantee | 'level'>[] = [
    { head: '', of: (row) => row },
    ...working.map(
      (report): TableColumn<Guarantee | 'level'> => ({
        head: report.name,
        of: (row) => (row === 'level' ? describeLevel(report.level) : strengthText(report, row, page.proofs)),
        tone: (row) => (row === 'level' ? 'plain' : tonesOf[report.guarantees[row]]),
      }),
    ),
  ];
  const table = terminalTable(['level', ...guarantees], columns, { ...look, heads: 'always' });
  const lines = [
    ...page.backends.map((report) => [report.name, stateOf(report)] as const),
    ...Object.entries(generated),
    ['auto', choiceText(page.auto)] as const,
  ];
  const states = lines.map(([name, text]) => `${name.padEnd(12)}${safeText(text)}\n`);
  return [...(working.length === 0 ? [] : [`${table}\n`]), ...states].join('');
}

/** Adds the number of escape attempts that the backend stopped, if any ran. */
function strengthText(
  { name, guarantees: vector }: BackendReport,
  guarantee: Guarantee,
  proofs: readonly ProofResult[],
): string {
  const strength = vector[guarantee];
  const tried = proofs.filter(
    (proof) => proof.backend === name && proof.guarantee === guarantee && proof.result !== 'inconclusive',
  );
  const held = tried.filter(({ result }) => result === 'held').length;
  return tried.length === 0 ? strength : `${strength} ${held}/${tried.length}`;
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
    ? `uses ${choice.name} for the default policy`
    : 'uses none for the default policy: none enforces all of its guarantees in the kernel; `--backend NAME` accepts gaps';
}
