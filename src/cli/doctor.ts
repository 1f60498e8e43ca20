import { readFileSync } from 'node:fs';
import { describeGuest, describeInside, findGuests } from '../backends/delegate/find-guests.ts';
import { insideWsl } from '../backends/delegate/wsl/inside.ts';
import { describeLevel } from '../backends/lattice/vectors.ts';
import type { BackendName } from '../backends/backend.ts';
import type { CgroupFacts } from '../plan/facts.ts';
import type { Guarantee } from '../plan/types.ts';
import { strictGuarantees } from '../policy/builtin/strict.ts';
import { examine, type BackendReport, type Examination } from '../sandbox/doctor/examine.ts';
import { describeContainer } from '../sandbox/doctor/container/report.ts';
import { describeProbed } from '../sandbox/doctor/probes.ts';
import { isBroken, type ProofResult } from '../sandbox/doctor/prove.ts';
import type { SignTone } from '../text/signs.ts';
import { type Command, type CommandInput, isSet, jsonText, safeText } from './command.ts';
import { escapesTried } from './escapes-tried.ts';
import { describeResident, listResident } from './resident/find-resident.ts';
import { type Look, lookOf, signed } from './terminal/look.ts';
import { type TableColumn, terminalTable } from './terminal/terminal-table.ts';

const usage = `usage: holdfast doctor [--prove] [--strict] [--json]

Shows which backends work on this machine, and the guarantees that each enforces. docs/guarantees.md explains each
guarantee. --prove also runs escape attempts in throw-away boxes, each with a control run outside. Exits with 0 when some backend holds the guarantees of the default
policy (and, with --prove, the kernel stopped every attempt it should), otherwise 1.

--strict asks the same of the strict policy (docs/strict.md), and lists the missing guarantees of each backend.`;

export const doctorCommand: Command = {
  name: 'doctor',
  usage,
  options: { prove: { type: 'boolean' }, strict: { type: 'boolean' }, json: { type: 'boolean' } },
  positionals: 'none',
  async run(input) {
    const { values, io } = input;
    const beside = await describeBeside();
    const resident = await listResident(io);
    const { examination, proofs, verdict, strict } = await examineHere(input);
    io.stdout.write(
      isSet(values['json'])
        ? jsonText({
            ...examination,
            beside,
            proofs,
            verdict,
            ...(strict === undefined ? {} : { strict }),
            resident: resident === undefined ? 'none' : { ...resident.server, runs: resident.runs.length },
          })
        : `${safeText([...beside.map((line) => `${line}\n`), `${describeResident(resident)}\n`].join(''))}${describe({ examination, proofs, verdict, strict }, lookOf(io))}`,
    );
    return verdict === 'holds' ? 0 : 1;
  },
};

interface Findings {
  readonly examination: Examination;
  readonly proofs: readonly ProofResult[];
  readonly verdict: 'holds' | 'fails';
  /** With `--strict`: each working backend, and its missing guarantees for the strict policy. */
  readonly strict: readonly StrictReport[] | undefined;
}

interface StrictReport {
  readonly backend: BackendName;
  readonly missing: readonly Guarantee[];
  /** Limits that the strict policy sets and this machine enforces with gaps. */
  readonly partial: readonly Guarantee[];
}

const strictLimits: readonly Guarantee[] = ['limits.memory', 'limits.cpu'];

function strictReport({ name, guarantees }: BackendReport): StrictReport {
  const gaps = (names: readonly Guarantee[]): readonly Guarantee[] =>
    names.filter((guarantee) => guarantees[guarantee] !== 'kernel');
  return { backend: name, missing: gaps(strictGuarantees), partial: gaps(strictLimits) };
}

/** Returns the facts of this machine, and with `--prove` the attempts that escaped. */
export async function examineHere(input: CommandInput): Promise<Findings> {
  const examination = await examine(input.io.environment);
  const working = examination.backends.filter(({ start }) => start.kind === 'works');
  const proofs = await escapesTried(
    input,
    working.map(({ name }) => name),
  );
  const strict = isSet(input.values['strict']) ? working.map(strictReport) : undefined;
  const holds = (strict ?? working).some(({ missing }) => missing.length === 0) && !proofs.some(isBroken);
  return { examination, proofs, verdict: holds ? 'holds' : 'fails', strict };
}

function describe({ examination, proofs, verdict, strict }: Findings, look: Look): string {
  const { kernel, architecture, uid, cgroups } = examination;
  const probed = describeProbed(examination);
  const lines = [
    `kernel          ${kernel} (${architecture}), ${uid === 0 ? 'as root' : `as uid ${uid}`}`,
    `control groups  ${describeCgroups(cgroups)}`,
    ...describeContainer(examination.container),
    '',
    ...examination.backends.flatMap(describeBackend),
    ...probed,
    ...(probed.length > 0 ? [''] : []),
    ...(strict === undefined ? [] : [...strict.map(describeStrict), ...describeComparison(examination), '']),
  ];
  const subject = `the guarantees of the ${strict === undefined ? 'default' : 'strict'} policy`;
  return [
    ...lines.map((line) => `${safeText(line)}\n`),
    ...(proofs.length > 0 ? [terminalTable(proofs, proofColumns, look), '\n'] : []),
    verdict === 'holds'
      ? signed(`${subject} hold`, 'allowed', look)
      : signed(`${subject} do NOT hold on this machine`, 'alarm', look),
    '\n',
  ].join('');
}

function describeStrict({ backend, missing, partial }: StrictReport): string {
  const held = missing.length === 0 ? 'holds the strict policy' : `cannot run strict, lacks ${missing.join(', ')}`;
  return `${backend}: ${held}${partial.length === 0 ? '' : `; in part only: ${partial.join(', ')}`}`;
}

function describeComparison({ comparesPrograms, kernel }: Examination): readonly string[] {
  if (comparesPrograms) return [];
  return [`strict compares no started programs on ${kernel}, so rules about arguments are best effort: use Linux 5.19`];
}

const tonesOf: Readonly<Record<ProofResult['result'], SignTone>> = {
  held: 'allowed',
  escaped: 'alarm',
  inconclusive: 'waiting',
};

const proofColumns: readonly TableColumn<ProofResult>[] = [
  { head: 'RESULT', of: ({ result }) => result, tone: ({ result }) => tonesOf[result], least: 12 },
  { head: 'BACKEND', of: ({ backend }) => backend },
  { head: 'GUARANTEE', of: ({ guarantee }) => guarantee },
  {
    head: 'ATTEMPT',
    of: ({ title, promised }) => `${title}${promised === 'partial' ? ' (held in part)' : ''}`,
    cut: 'end',
  },
];

function describeCgroups(facts: CgroupFacts): string {
  switch (facts.kind) {
    case 'none':
      return `none (${facts.reason}); limits fall back to rlimits`;
    case 'v1':
      return `version 1: ${Object.keys(facts.directories).join(', ')}`;
    case 'v2':
      return `version 2: ${facts.controllers.join(', ')} in ${facts.directory}`;
  }
}

function describeBackend(report: BackendReport): readonly string[] {
  const { presence, start, guarantees, level } = report;
  if (presence.kind === 'absent') return [`${report.name} (absent): ${presence.remedy}`, ''];
  const state =
    start.kind === 'works'
      ? `works, Landlock ABI ${start.landlockAbi === 0 ? 'absent' : start.landlockAbi}`
      : `does not work: ${start.reason}; ${start.remedy}`;
  const grouped = (['kernel', 'partial', 'none'] as const).map((strength) => {
    const names = Object.entries(guarantees).flatMap(([name, value]) => (value === strength ? [name] : []));
    return `  ${strength.padEnd(8)} ${names.join(' ')}`;
  });
  const { network } = report;
  const names =
    network.kind === 'fails'
      ? `  network  does not open: ${network.reason}; ${network.remedy}`
      : `  network  ${reaches[network.kind]}`;
  return [
    `${report.name} (${presence.version}): ${state}${start.kind === 'works' ? `; level ${describeLevel(level)}` : ''}`,
    ...(start.kind === 'works' ? [...grouped, names] : []),
    '',
  ];
}

const reaches = {
  'every-port': 'names on every port (transparent proxying in the kernel)',
  'listed-ports':
    'names on the ports that the policy lists and the usual ones (no transparent proxying in this kernel)',
} as const;

/** Returns a line for each guest of this machine, and one if this machine is itself a guest. Empty without either. */
async function describeBeside(): Promise<readonly string[]> {
  const inside = insideWsl({
    version: textOf('/proc/version'),
    interop: textOf('/proc/sys/fs/binfmt_misc/WSLInterop'),
  });
  return [...describeInside(inside), ...(await findGuests()).map(describeGuest)];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
