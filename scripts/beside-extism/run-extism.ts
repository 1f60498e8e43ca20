/**
 * Runs a plug-in in Extism, in a separate process: `$1` package, `$2` place, and the calls on stdin. Prints the result
 * of each.
 */
import process from 'node:process';
import { text } from 'node:stream/consumers';

interface Plugin {
  call(name: string, input: string): Promise<{ text(): string } | null>;
  close(): Promise<void>;
}

export interface ExtismCall {
  /** Base64. */
  readonly module: string;
  readonly input: string;
  /** As in its documentation. A version ignores unknown ones. */
  readonly options: Readonly<Record<string, unknown>>;
}

export interface ExtismOutcome {
  readonly kind: 'output' | 'failed';
  readonly text: string;
  /** Turns of the caller's event loop during the run. */
  readonly turns: number;
}

const [, , name = '', place = ''] = process.argv;
const { default: createPlugin } = (await import(name)) as {
  readonly default: (manifest: object, options: object) => Promise<Plugin>;
};
const calls = JSON.parse(await text(process.stdin)) as readonly ExtismCall[];
const outcomes: ExtismOutcome[] = [];
for (const call of calls) outcomes.push(await outcomeOf(call));
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0));

async function outcomeOf({ module, input, options }: ExtismCall): Promise<ExtismOutcome> {
  const snake = Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 1);
  try {
    const plugin = await createPlugin(
      { wasm: [{ data: Uint8Array.from(Buffer.from(module, 'base64')) }], ...options, ...snake },
      { ...options, ...(place === 'worker' ? { runInWorker: true } : {}) },
    );
    turns = 0;
    const output = await plugin.call('run', input);
    const kind = { kind: 'output', text: output?.text() ?? '', turns } as const;
    await plugin.close();
    return kind;
  } catch (error) {
    return { kind: 'failed', text: String(error), turns };
  } finally {
    clearInterval(ticking);
  }
}
