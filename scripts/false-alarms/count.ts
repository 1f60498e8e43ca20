/**
 * Counts false alarms over the npm packages of `packages.txt`, each as a workspace of its own, and over the made
 * repositories. Fails for a place that `judgements.txt` lacks, and for a share of wrong alarms above 2 %. Usage: node
 * scripts/false-alarms/count.ts
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { type Alarm, alarmsOf, filesIn } from './alarms-of.ts';
import { type Count, judge, readJudgements } from './judge.ts';
import { alarmsOfMade } from './made-alarms.ts';

interface Found {
  readonly files: number;
  readonly alarms: readonly Alarm[];
}

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'holdfast-test', 'false-alarms');
const mostWrong = 0.02;

/** The archive of one package in one version, which npm fetches once. */
function archiveOf(name: string): string {
  const folder = join(cache, name.replaceAll('/', '+'));
  if (!existsSync(folder)) fetchInto(folder, name);
  const [archive] = readdirSync(folder);
  if (archive === undefined) throw new Error(`${folder} is empty: remove it, and count again`);
  return join(folder, archive);
}

function fetchInto(folder: string, name: string): void {
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, '.new-'));
  const { status } = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', fresh, name], {
    cwd: fresh,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm could not fetch ${name}`);
  renameSync(fresh, folder);
}

async function alarmsOfPackage(name: string): Promise<Found> {
  const root = mkdtempSync(join(tmpdir(), 'alarms-'));
  try {
    const words = ['-xzf', archiveOf(name), '-C', root, '--strip-components=1', '--no-same-owner'];
    if (spawnSync('tar', words, { stdio: 'inherit' }).status !== 0) throw new Error(`${name} cannot be unpacked`);
    return { files: filesIn(root).length, alarms: await alarmsOf(root) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function alarmsOfPackages(): Promise<Found> {
  const names = readFileSync(join(import.meta.dirname, 'packages.txt'), 'utf8')
    .trim()
    .split('\n');
  const all: Found[] = [];
  for (const name of names) all.push(await alarmsOfPackage(name));
  console.log(`${names.length} packages`);
  return { files: all.reduce((sum, { files }) => sum + files, 0), alarms: all.flatMap(({ alarms }) => alarms) };
}

function share({ all, wrong }: Pick<Count, 'all' | 'wrong'>): string {
  return all === 0 ? '–' : `${((100 * wrong) / all).toFixed(1)} %`;
}

/** Prints a line for each kind. True if all places were judged, and few enough alarms are wrong. */
function report(title: string, { files, alarms }: Found): boolean {
  const { counts, unjudged } = judge(alarms, readJudgements());
  console.log(`${title}: ${files} files`);
  for (const count of counts)
    console.log(`  ${count.kind.padEnd(9)} ${String(count.all).padStart(5)}  wrong ${count.wrong} (${share(count)})`);
  for (const line of unjudged) console.log(`  nobody has judged: ${line}`);
  return unjudged.length === 0 && counts.every(({ all, wrong }) => wrong <= all * mostWrong);
}

const packages = report('npm packages', await alarmsOfPackages());
const made = report('made repositories', await alarmsOfMade());
process.exitCode = packages && made ? 0 : 1;
