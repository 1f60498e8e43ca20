import { stripTypeScriptTypes } from 'node:module';
import type { QuickJSContext, QuickJSHandle, QuickJSRuntime, QuickJSWASMModule } from 'quickjs-emscripten-core';
import { largestToolPayload } from '../../protocol/frames.ts';
import type { FailureReason } from '../../protocol/messages.ts';
import { type Bridge, type Engine, type Load, type EngineOutcome, ToolFailure } from '../engine.ts';
import { cappedQuickJs, guestCall, logLevelOf, OutOfMemory, prelude } from './guest-calls.ts';

/** Bytes of QuickJS's own stack. V8's frames beneath it grow along with it, and V8's stack has a megabyte. */
const stackSize = 128 * 1024;

/**
 * Returns an engine with a fresh runtime for every run, so that nothing of one input remains for the next. A runtime
 * may be created in advance. Throws `ToolFailure` for invalid TypeScript.
 */
export async function javascriptEngine(load: Load, bridge: Bridge): Promise<Engine> {
  const source = sourceOf(load);
  const module = await cappedQuickJs(load.limits.memory);
  let ahead: Fresh | undefined;
  return {
    run(input) {
      const fresh = ahead;
      ahead = undefined;
      return runIn(() => fresh ?? freshRuntime(module), { load, bridge, source, input: input.toString() });
    },
    prepare() {
      try {
        ahead ??= freshRuntime(module);
      } catch {
        // If this fails, the next run creates its own runtime, and reports the failure.
      }
    },
  };
}

function sourceOf({ language, module }: Load): string {
  const text = Buffer.from(module, 'base64').toString();
  if (language !== 'typescript') return text;
  try {
    return stripTypeScriptTypes(text);
  } catch (error) {
    throw new ToolFailure('invalid', `it is not TypeScript whose types can be left out: ${(error as Error).message}`);
  }
}

interface Run {
  readonly load: Load;
  readonly bridge: Bridge;
  readonly source: string;
  readonly input: string;
}

interface Guest extends Run, Fresh {
  readonly meter: Meter;
  output: string;
}

/** A runtime in which no code of a tool has run yet. */
interface Fresh {
  readonly runtime: QuickJSRuntime;
  readonly vm: QuickJSContext;
  /** The value that `prelude` returned. */
  readonly doors: QuickJSHandle;
}

/** Creating a runtime takes most of the time of a short run. */
function freshRuntime(module: QuickJSWASMModule): Fresh {
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(stackSize);
  const vm = runtime.newContext();
  return { runtime, vm, doors: vm.unwrapResult(vm.evalCode(prelude, 'holdfast.js')) };
}

function runIn(begin: () => Fresh, run: Run): EngineOutcome {
  const meter = new Meter(run.load.limits);
  let fresh: Fresh | undefined;
  let outcome: EngineOutcome;
  try {
    fresh = begin();
    fresh.runtime.setInterruptHandler(() => meter.isOver());
    outcome = evaluate({ ...run, ...fresh, meter, output: '' });
  } catch (error) {
    outcome = failureOf(error, meter);
  }
  return leaveBehind(outcome, fresh);
}

/** Measures the resources of a run, and notes the first limit that it exceeds. */
class Meter {
  over: 'deadline' | 'fuel' | undefined;
  readonly #fuel: number;
  readonly #end: number;
  #used = 0;

  constructor({ fuel = Infinity, deadline }: Load['limits']) {
    this.#fuel = fuel;
    this.#end = performance.now() + deadline;
  }

  isOver(): boolean {
    this.#used += 1;
    if (this.#used > this.#fuel) this.over ??= 'fuel';
    if (performance.now() > this.#end) this.over ??= 'deadline';
    return this.over !== undefined;
  }
}

function evaluate(guest: Guest): EngineOutcome {
  openDoors(guest);
  const { vm } = guest;
  const result = vm.evalCode(guest.source, 'tool.js', { type: 'module' });
  if (result.error !== undefined) throw thrown(vm, result.error);
  settle(vm, result.value);
  const data = Buffer.from(guest.output);
  if (data.length > largestToolPayload)
    return {
      kind: 'failed',
      reason: 'output',
      message: `it returned ${data.length} bytes, ${largestToolPayload} are allowed`,
      afterwards: 'stays',
    };
  return { kind: 'output', data, afterwards: 'stays' };
}

/** Runs pending jobs until the module's promise is settled, or no job is left that could settle it. */
function settle(vm: QuickJSContext, value: QuickJSHandle): void {
  const jobs = vm.runtime.executePendingJobs();
  if (jobs.error !== undefined) throw thrown(vm, jobs.error);
  const state = vm.getPromiseState(value);
  if (state.type === 'rejected') throw thrown(vm, state.error);
  if (state.type === 'pending')
    throw new ToolFailure(
      'threw',
      'it waits for a promise that never settles: holdfast.http, readFile and writeFile return at once, and nothing else is asynchronous',
    );
  if (state.value !== value) state.value.dispose();
  value.dispose();
}

function openDoors(guest: Guest): void {
  const { vm, bridge, load, doors } = guest;
  const words = [
    vm.newFunction('call', (what, json) => vm.newString(guestCall(bridge, vm.getString(what), wholeText(vm, json)))),
    vm.newFunction('log', (level, line, form) =>
      bridge.log(logLevelOf(vm.getString(level)), outOfGuest(vm, line, form)),
    ),
    vm.newFunction('output', (text, form) => void (guest.output = outOfGuest(vm, text, form))),
    vm.newString(JSON.stringify(load.config)),
    ...intoGuest(vm, guest.input),
  ];
  vm.unwrapResult(vm.callFunction(doors, vm.undefined, ...words)).dispose();
  for (const handle of [doors, ...words]) handle.dispose();
}

/** Returns a guest's exception as text. This runs the guest's getters, under the same limits. */
function thrown(vm: QuickJSContext, error: QuickJSHandle): ToolFailure {
  const name = propertyText(vm, error, 'name');
  const message = vm.typeof(error) === 'string' ? vm.getString(error) : propertyText(vm, error, 'message');
  error.dispose();
  if (name === 'InternalError' && message === 'out of memory')
    return new ToolFailure('memory', 'it used more memory than its manifest allows');
  return new ToolFailure(
    'threw',
    [name, message].filter((part) => part !== '').join(': ') || 'it threw something without a message',
  );
}

function propertyText(vm: QuickJSContext, of: QuickJSHandle, name: string): string {
  try {
    const value = vm.getProp(of, name);
    const text = vm.typeof(value) === 'string' ? vm.getString(value) : '';
    value.dispose();
    return text;
  } catch {
    return '';
  }
}

function failureOf(error: unknown, { over }: Meter): EngineOutcome {
  const failed = (
    reason: FailureReason,
    message: string,
    afterwards: EngineOutcome['afterwards'] = 'stays',
  ): EngineOutcome => ({
    kind: 'failed',
    reason,
    message,
    afterwards,
  });
  if (over !== undefined)
    return failed(
      over,
      over === 'fuel' ? 'it took more steps than its manifest allows' : 'it took longer than its manifest allows',
    );
  if (error instanceof ToolFailure) return failed(error.reason, error.message);
  // Either V8's stack overflowed beneath QuickJS, or QuickJS stopped midway. Its state is broken.
  return failed(
    error instanceof RangeError ? 'memory' : 'threw',
    error instanceof Error ? error.message : String(error),
    'leaves',
  );
}

/**
 * A guest that was stopped midway may leave a runtime that cannot be disposed of cleanly. The same is true of a runtime
 * whose creation failed.
 */
function leaveBehind(outcome: EngineOutcome, fresh: Fresh | undefined): EngineOutcome {
  if (fresh === undefined) return { ...outcome, afterwards: 'leaves' };
  try {
    fresh.vm.dispose();
    fresh.runtime.dispose();
    return outcome;
  } catch {
    return { ...outcome, afterwards: 'leaves' };
  }
}

/**
 * Form in which a text is passed: plain, or as JSON if it contains a NUL. QuickJS's own interface would end it at the
 * NUL.
 */
type TextForm = 'plain' | 'json';

/** Passes a text and its form to `prelude`. */
function intoGuest(vm: QuickJSContext, text: string): readonly [text: QuickJSHandle, form: QuickJSHandle] {
  const form: TextForm = text.includes('\0') ? 'json' : 'plain';
  return [vm.newString(form === 'json' ? JSON.stringify(text) : text), vm.newString(form)];
}

/** Returns a text that `prelude` passes with its form. Throws `OutOfMemory`. */
function outOfGuest(vm: QuickJSContext, text: QuickJSHandle, form: QuickJSHandle): string {
  const crossed = wholeText(vm, text);
  return vm.getString(form) === 'json' ? (JSON.parse(crossed) as string) : crossed;
}

/** Returns a text without a NUL. Throws `OutOfMemory` if memory ran out for QuickJS's copy, which is then empty. */
function wholeText(vm: QuickJSContext, handle: QuickJSHandle): string {
  const text = vm.getString(handle);
  if (text === '' && vm.getProp(handle, 'length').consume((length) => vm.getNumber(length)) > 0)
    throw new OutOfMemory();
  return text;
}
