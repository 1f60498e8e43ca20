import { largestToolPayload } from '../../protocol/frames.ts';
import type { FailureReason } from '../../protocol/messages.ts';
import { type Bridge, type Engine, type Load, type EngineOutcome, ToolFailure } from '../engine.ts';
import { capModule } from './cap-module.ts';
import { guestImports, type GuestState } from './guest-functions.ts';
import { KernelMemory } from './kernel-memory.ts';
import { type WasmModule, webAssembly } from './web-assembly.ts';

const pageSize = 65_536;
const bytesOfEntry = 8;

/**
 * Runs modules with Extism's interface. Each run has its own instance. The engine cannot stop a loop, so the supervisor
 * ends the box at the deadline. Throws `ToolFailure` for a module that cannot run.
 */
export function wasmEngine(load: Load, bridge: Bridge): Engine {
  const { memory } = load.limits;
  const module = compiled(
    capModule(Buffer.from(load.module, 'base64'), {
      pages: Math.floor(memory / pageSize),
      entries: Math.floor(memory / bytesOfEntry),
    }),
  );
  refuseUnknown(module, load.entry);
  const variables = new Map<string, Buffer>();
  const config = new Map(Object.entries(load.config));
  return {
    run: (input) =>
      runOnce(module, load.entry, {
        memory: new KernelMemory(memory),
        input,
        config,
        variables,
        bridge,
        output: Buffer.alloc(0),
        error: undefined,
        status: 0,
        contentType: '',
      }),
  };
}

function compiled(bytes: Uint8Array): WasmModule {
  try {
    return new webAssembly.Module(bytes);
  } catch (error) {
    throw new ToolFailure('invalid', `it is not WebAssembly that this Node can compile: ${(error as Error).message}`);
  }
}

/** Refuses unknown imports by name, before any code of the module runs. */
function refuseUnknown(module: WasmModule, entry: string): void {
  const known = guestImports({} as GuestState);
  const unknown = webAssembly.Module.imports(module).filter(
    ({ module: from, name, kind }) =>
      kind !== 'function' || !Object.hasOwn(known, from) || !Object.hasOwn(known[from] ?? {}, name),
  );
  if (unknown.length > 0) {
    const names = unknown.slice(0, 8).map(({ module: from, name, kind }) => `${kind} "${name}" of "${from}"`);
    throw new ToolFailure(
      'invalid',
      `it imports functions that tools do not have: ${names.join(', ')}${unknown.length > names.length ? ` and ${unknown.length - names.length} more` : ''}`,
    );
  }
  const exports = webAssembly.Module.exports(module)
    .filter(({ kind }) => kind === 'function')
    .map(({ name }) => name);
  if (!exports.includes(entry))
    throw new ToolFailure(
      'invalid',
      `it exports no function "${entry}"; it has ${
        exports
          .slice(0, 16)
          .map((name) => `"${name}"`)
          .join(', ') || 'none'
      }`,
    );
}

function runOnce(module: WasmModule, entry: string, state: GuestState): EngineOutcome {
  try {
    const { exports } = new webAssembly.Instance(module, guestImports(state));
    (exports['_initialize'] as (() => void) | undefined)?.();
    const status: unknown = (exports[entry] as () => unknown)();
    if (state.error !== undefined || (typeof status === 'number' && status !== 0))
      return failed('threw', state.error ?? `${entry} returned ${String(status)}`);
    if (state.output.length > largestToolPayload)
      return failed('output', `it returned ${state.output.length} bytes, ${largestToolPayload} are allowed`);
    return { kind: 'output', data: state.output, afterwards: 'stays' };
  } catch (error) {
    return failed(reasonOf(error), error instanceof Error ? error.message : String(error));
  }
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof ToolFailure) return error.reason;
  return error instanceof webAssembly.LinkError ? 'invalid' : 'trapped';
}

function failed(reason: FailureReason, message: string): EngineOutcome {
  return { kind: 'failed', reason, message, afterwards: 'stays' };
}
