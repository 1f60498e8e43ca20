import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cappedQuickJs } from '../src/tools/host/javascript/guest-calls.ts';
import { javascriptEngine } from '../src/tools/host/javascript/javascript-engine.ts';
import type { Bridge, Load } from '../src/tools/host/engine.ts';
import { wasmEngine } from '../src/tools/host/wasm/wasm-engine.ts';
import { Sandbox } from '../src/sandbox/index.ts';
import { compileAssembly, stop } from '../test/tools/lib/assembly.ts';
import { medianOf } from './lib/compare.ts';
import { runner, selfTimed } from './lib/contestant.ts';
import { measure, type Result } from './lib/measure.ts';
import { type Report, timeTable } from './lib/report.ts';
import { makeScratch } from './lib/scratch.ts';

const source =
  "import { Host } from './kit/pdk';\nexport function run(): i32 { Host.outputString(Host.inputString()); return 0; }\n";
const script = 'holdfast.output(holdfast.input)';
const options = { rounds: 30, warmups: 3 };
const limits = { memory: 64 * 65_536, deadline: 60_000 };
const none: Bridge = { call: () => ({ kind: 'refused', message: '' }), log: () => undefined };

/** The cost of a tool: in the process that runs it, with the loaded engine, and for its caller, with its box. */
export async function tools(): Promise<Report> {
  const module = await compileAssembly(`${source}${stop}`);
  const [inside, extism, whole] = [await engines(module), await peers(module), await boxes(module)];
  return {
    title: 'tools: one that gives back what it is given',
    parts: [
      `in the program inside the box, without the box\n${timeTable(inside, 'QuickJS, warm')}`,
      `Extism in this process, without any box\n${timeTable(extism, 'Extism 1.0.3: createPlugin and call')}`,
      `for the caller, in a box\n${timeTable(whole, 'a tool in JavaScript: open, call, close')}`,
    ],
    budgets: [
      {
        claim: 'QuickJS, warm: run in a runtime made ahead, and away again',
        measured: medianOf(inside, 'QuickJS, warm'),
        limit: 1,
        unit: 'ms',
        direction: 'at-most',
      },
      {
        claim: 'WebAssembly, cold: caps, compile, instantiate, run',
        measured: medianOf(inside, 'WebAssembly, cold'),
        limit: 25,
        unit: 'ms',
        direction: 'at-most',
      },
    ],
  };
}

function loadOf(language: Load['language'], module: string | Buffer): Load {
  return {
    kind: 'load',
    language,
    name: 'bench',
    module: Buffer.from(module as string).toString('base64'),
    entry: 'run',
    limits,
    config: {},
  };
}

async function engines(module: Buffer): Promise<readonly Result[]> {
  const quick = await javascriptEngine(loadOf('javascript', script), none);
  const warm = wasmEngine(loadOf('wasm', module), none);
  const input = Buffer.from('hello');
  return measure(
    [
      runner('QuickJS, loading the engine', async () => void (await cappedQuickJs(limits.memory))),
      selfTimed('QuickJS, warm', async () => {
        // As the program in the box does after its answer.
        quick.prepare?.();
        const begin = performance.now();
        checked(quick.run(input));
        return performance.now() - begin;
      }),
      runner('QuickJS, warm, with its runtime', async () => checked(quick.run(input))),
      runner('WebAssembly, cold', async () => checked(wasmEngine(loadOf('wasm', module), none).run(input))),
      runner('WebAssembly, warm', async () => checked(warm.run(input))),
    ],
    options,
  );
}

function checked({ kind }: { readonly kind: string }): void {
  if (kind !== 'output') throw new Error('the tool gave nothing back');
}

interface Plugin {
  call(name: string, input: string): Promise<{ text(): string } | null>;
  close(): Promise<void>;
}

type CreatePlugin = (manifest: object, options: object) => Promise<Plugin>;

async function peers(module: Buffer): Promise<readonly Result[]> {
  const one = ((await import('extism-1')) as { readonly default: CreatePlugin }).default;
  const two = ((await import('extism-2')) as { readonly default: CreatePlugin }).default;
  const once = (create: CreatePlugin, more: object) => async (): Promise<void> => {
    const plugin = await create({ wasm: [{ data: Uint8Array.from(module) }] }, { useWasi: false, ...more });
    if ((await plugin.call('run', 'hello'))?.text() !== 'hello') throw new Error('Extism gave something else back');
    await plugin.close();
  };
  return measure(
    [
      runner('Extism 1.0.3: createPlugin and call', once(one, {})),
      runner('Extism 2.0.0-rc13: the same', once(two, {})),
      runner('Extism 2.0.0-rc13: the same in a worker', once(two, { runInWorker: true })),
    ],
    options,
  );
}

async function boxes(module: Buffer): Promise<readonly Result[]> {
  const scratch = makeScratch();
  const directory = join(scratch.workspace, 'tools');
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'echo.js'), script);
  writeFileSync(join(directory, 'echo.wasm'), module);
  for (const [name, file, kind] of [
    ['js', 'echo.js', 'javascript'],
    ['wasm', 'echo.wasm', 'wasm'],
  ])
    writeFileSync(join(directory, `${name}.toml`), `name = "echo"\nmodule = "${file}"\nkind = "${kind}"\n`);
  await using sandbox = await Sandbox.create({ workspace: scratch.workspace, environment: scratch.environment });
  await using interpreted = await sandbox.tools.open('tools/js.toml');
  await using assembled = await sandbox.tools.open('tools/wasm.toml');
  return await measure(
    [
      runner(
        'a tool in JavaScript: open, call, close',
        async () => void (await sandbox.tools.run('tools/js.toml', 'hello')),
      ),
      runner('another call of one that is open', async () => void (await interpreted.call('hello'))),
      runner(
        'a tool in WebAssembly: open, call, close',
        async () => void (await sandbox.tools.run('tools/wasm.toml', 'hello')),
      ),
      runner('another call of one that is open (wasm)', async () => void (await assembled.call('hello'))),
    ],
    { rounds: 10, warmups: 1 },
  );
}
