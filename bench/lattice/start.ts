import { backendNames, type BackendName } from '../../src/backends/backend.ts';
import { isHoldfastError } from '../../src/errors/index.ts';
import { Sandbox } from '../../src/sandbox/index.ts';
import { difference, ratio } from '../lib/compare.ts';
import { absent, type Contestant, runner } from '../lib/contestant.ts';
import { measure, type Result } from '../lib/measure.ts';
import { type Report, timeTable } from '../lib/report.ts';
import { makeScratch, type Scratch } from '../lib/scratch.ts';
import { runCommand } from '../lib/spawn.ts';
import { landlockLauncher, launcherAlone } from './launcher.ts';
import { latticePeers, runsc } from './peers.ts';

const bare = 'bare exec';
/** A microVM takes seconds, so its peer is the boot of its kernel alone. */
const quick = backendNames.filter((name) => name !== 'microvm');

/**
 * `true` in an open session, on every backend, beside other ways to isolate a program. It excludes the start of Node,
 * which is the same for all backends: the bench `start` measures that.
 */
export async function latticeStart(): Promise<Pick<Report, 'parts' | 'budgets'>> {
  const scratch = makeScratch();
  const direct = runner(bare, () => runCommand(['true'], optionsOf(scratch)));
  const peers = (await latticePeers(scratch)).map(({ name, peer }) =>
    peer.kind === 'absent'
      ? absent(name, peer.reason)
      : runner(name, () => runCommand([...peer.prefix, 'true'], optionsOf(scratch))),
  );
  const results = await measure([direct, await landlockLauncher(scratch), ...(await boxed(quick, scratch)), ...peers], {
    rounds: 31,
    warmups: 3,
  });
  return { parts: [timeTable(results, bare)], budgets: budgets(results) };
}

function optionsOf({ workspace, environment }: Scratch) {
  return { cwd: workspace, env: environment };
}

async function boxed(names: readonly BackendName[], scratch: Scratch): Promise<readonly Contestant[]> {
  const rows: Contestant[] = [];
  for (const name of names) rows.push(await boxedBy(name, scratch));
  return rows;
}

/** Absent if the backend is absent, or does not run `true`. */
async function boxedBy(backend: BackendName, { workspace, environment }: Scratch): Promise<Contestant> {
  try {
    const sandbox = await Sandbox.create({ workspace, environment, backend });
    const run = async (): Promise<void> => {
      const { exitCode, stderr } = await sandbox.commands.run(['true']);
      if (exitCode !== 0) throw new Error(`${backend}: exit ${exitCode}: ${stderr}`);
    };
    await run();
    return runner(rowOf(backend), run);
  } catch (error) {
    if (isHoldfastError(error)) return absent(rowOf(backend), `${error.message} (${error.remedy})`);
    return absent(rowOf(backend), error instanceof Error ? error.message : String(error));
  }
}

function rowOf(backend: BackendName): string {
  return `holdfast, ${backend}`;
}

function budgets(results: readonly Result[]): Report['budgets'] {
  return [
    {
      claim: `${launcherAlone} − ${bare}`,
      measured: difference(results, launcherAlone, bare),
      limit: 1,
      unit: 'ms',
      direction: 'at-most',
    },
    {
      claim: `${rowOf('landlock')} − ${bare}`,
      measured: difference(results, rowOf('landlock'), bare),
      limit: 1,
      unit: 'ms',
      direction: 'at-most',
    },
    {
      claim: `${rowOf('gvisor')} ÷ ${runsc}`,
      measured: ratio(results, rowOf('gvisor'), runsc),
      limit: 1.15,
      unit: '×',
      direction: 'at-most',
    },
  ];
}
