/**
 * Runs Holdfast in a container of every kind, and writes the results into `docs/containers.md`, with the time of a box
 * beside the host's. usage: node scripts/container/measure.ts, as root
 */
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Docker } from './docker.ts';
import { Containers } from './podman.ts';
import { containerRows, type ContainerRow } from './rows.ts';

const repository = resolve(import.meta.dirname, '../..');
const page = join(repository, 'docs/containers.md');
const marks = ['<!-- measured: begin -->', '<!-- measured: end -->'] as const;
const names = ['native', 'landlock'] as const;

interface Examined {
  readonly backends: readonly {
    readonly name: string;
    readonly guarantees: Readonly<Record<string, string>>;
    readonly start: { readonly kind: string };
  }[];
  readonly container: { readonly changes: readonly { readonly obstacle: string }[] };
}

/**
 * Milliseconds of 15 runs of `true`: the slowest of the fastest third, so that other load on the machine counts less.
 */
const timing = (backend: string): string =>
  `node -e "const {spawnSync:s}=require('child_process');const t=[];for(let i=0;i<15;i++){const b=process.hrtime.bigint();const r=s('holdfast',['run','--backend','${backend}','--','true'],{env:{...process.env,HOLDFAST_RESIDENT:'never'}});if(r.status!==0)process.exit(1);t.push(Number(process.hrtime.bigint()-b)/1e6)}t.sort((a,b)=>a-b);console.log(t[4].toFixed(1))"`;

/** The gaps of each working backend. Nothing for the others. */
type Open = Readonly<Record<(typeof names)[number], readonly string[] | undefined>>;

using containers = new Containers(repository);
const host = openOf(JSON.parse(asUserOfHost('holdfast doctor --json').stdout) as Examined);
using docker = await Docker.start(containers.archive());
const lines = containerRows.flatMap((row) => [lineOf(row), ...inDocker(row)]);
const table = [
  ...names.map((name) => `- ${name} on the host, as uid 1000: all but ${(host[name] ?? ['nothing']).join(', ')}`),
  '',
  '| container | native | Landlock alone | what doctor names |',
  '|---|---|---|---|',
  ...lines,
];
const text = readFileSync(page, 'utf8');
const [before, after] = [text.split(marks[0])[0] ?? '', text.split(marks[1])[1] ?? ''];
writeFileSync(page, `${before}${marks[0]}\n${[...table, '', ...times()].join('\n')}\n${marks[1]}${after}`);

function inDocker({ name, docker: flags }: ContainerRow): readonly string[] {
  if (docker === undefined || flags === undefined) return [];
  const { version } = docker;
  return [tableLine(name.replace('(imitated)', `(Docker ${version})`), docker.run(flags, 'holdfast doctor --json'))];
}

function lineOf(row: ContainerRow): string {
  return tableLine(row.name, containers.run(row, 'holdfast doctor --json'));
}

function tableLine(name: string, { stdout, stderr }: SpawnSyncReturns<string>): string {
  if (!stdout.startsWith('{')) throw new Error(`${name}: ${stderr}`);
  const examined = JSON.parse(stdout) as Examined;
  const open = openOf(examined);
  const cells = names.map((backend) => cellOf(open[backend], host[backend] ?? []));
  const named = examined.container.changes.map(({ obstacle }) => obstacle).join(', ') || '–';
  console.log(name, cells, named);
  return `| ${name} | ${cells.join(' | ')} | ${named} |`;
}

function cellOf(open: readonly string[] | undefined, onHost: readonly string[]): string {
  if (open === undefined) return 'no';
  const less = open.filter((guarantee) => !onHost.includes(guarantee));
  return less.length === 0 ? 'as on the host' : `as on the host, but ${less.join(', ')}`;
}

function openOf({ backends }: Examined): Open {
  const [native, landlock] = names.map((name) => {
    const report = backends.find((backend) => backend.name === name);
    if (report?.start.kind !== 'works') return undefined;
    return Object.entries(report.guarantees).flatMap(([guarantee, how]) => (how === 'kernel' ? [] : [guarantee]));
  });
  return { native, landlock };
}

/** The rounds alternate, and each gives a ratio, so other load on the machine affects few of them. */
function times(): readonly string[] {
  const inside = containerRows.find(({ name }) => name.includes('procMount'));
  if (inside === undefined) throw new Error('no row for the time of a box');
  const rows = names.map((name) => {
    const rounds = Array.from({ length: 9 }, () => {
      const host = onHost(timing(name));
      const box = number(containers.run(inside, timing(name)));
      return { host, box, more: (box / host - 1) * 100 };
    });
    const middle = (of: keyof (typeof rounds)[number]): number => median(rounds.map((round) => round[of]));
    return `| ${name} | ${middle('host').toFixed(1)} ms | ${middle('box').toFixed(1)} ms | ${middle('more').toFixed(0)} % |`;
  });
  return ['| a box that runs `true` | on the host | in the container | more |', '|---|--:|--:|--:|', ...rows];
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function onHost(script: string): number {
  return number(asUserOfHost(script));
}

/** The same package and Node, as the same user. */
function asUserOfHost(script: string): SpawnSyncReturns<string> {
  const place = `d=$(mktemp -d); export HOME=$d PATH=${containers.root}/usr/local/bin:$PATH; mkdir $d/w; cd $d/w; ${script}; rm -rf $d`;
  return spawnSync('setpriv', ['--reuid', '1000', '--regid', '1000', '--clear-groups', 'sh', '-c', place], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
}

function number({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): number {
  const found = Number(stdout.trim());
  if (!(found > 0)) throw new Error(`no time: ${stdout}${stderr}`);
  return found;
}
