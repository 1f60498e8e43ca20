import type { Readable, Writable } from 'node:stream';
import { describe, expectTypeOf, test } from 'vitest';
import type {
  CodeContext,
  CodeExecution,
  CodeRunOptions,
  CommandConnection,
  CommandEnding,
  CommandHandle,
  CommandInfo,
  Commands,
  CommandResult,
  LentSandbox,
  Narrowed,
  OutputChunk,
  RunCodeOptions,
  RunOptions,
  Sandbox,
  SandboxCode,
  SandboxEvent,
  SandboxOptions,
  SandboxPool,
  StartOptions,
} from './index.ts';

/** `tsc` checks what a caller may write, and what not. */
describe('types of the library', () => {
  test('of commands', () => {
    expectTypeOf<Parameters<Commands['run']>[1]>().toEqualTypeOf<RunOptions | undefined>();
    expectTypeOf<Commands['run']>().returns.resolves.toEqualTypeOf<CommandResult>();
    expectTypeOf<Commands['start']>().returns.toEqualTypeOf<CommandHandle>();
    expectTypeOf<Commands['list']>().returns.toEqualTypeOf<readonly CommandInfo[]>();
    expectTypeOf<Commands['connect']>().returns.toEqualTypeOf<CommandConnection>();
    // A command is not a shell string. Only `run` has input, and only `start` has a terminal.
    expectTypeOf<string>().not.toExtend<Parameters<Commands['run']>[0]>();
    expectTypeOf<StartOptions>().not.toHaveProperty('input');
    expectTypeOf<RunOptions>().not.toHaveProperty('terminal');
  });

  test('of handles', () => {
    expectTypeOf<CommandHandle>().toExtend<AsyncIterable<OutputChunk>>();
    expectTypeOf<CommandHandle>().not.toExtend<PromiseLike<unknown>>();
    expectTypeOf<CommandHandle['stdin']>().toEqualTypeOf<Writable>();
    expectTypeOf<CommandHandle['stdout']>().toEqualTypeOf<Readable>();
    expectTypeOf<CommandConnection>().not.toHaveProperty('stdout');
    expectTypeOf<CommandHandle['pid']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<OutputChunk['stream']>().toEqualTypeOf<'stdout' | 'stderr'>();
    expectTypeOf<CommandResult['ending']>().toEqualTypeOf<CommandEnding>();
  });

  test('of code', () => {
    expectTypeOf<SandboxCode['run']>().returns.resolves.toEqualTypeOf<CodeExecution>();
    expectTypeOf<{ language: 'python' }>().toExtend<RunCodeOptions>();
    expectTypeOf<{ context: CodeContext; timeoutMs: number }>().toExtend<RunCodeOptions>();
    expectTypeOf<{ timeoutMs: number }>().not.toExtend<RunCodeOptions>();
    expectTypeOf<CodeContext>().toExtend<AsyncDisposable>();
    expectTypeOf<CodeContext['run']>().parameter(1).toEqualTypeOf<CodeRunOptions | undefined>();
  });

  test('of sandboxes and pools', () => {
    expectTypeOf<Sandbox>().toExtend<AsyncDisposable>();
    expectTypeOf<SandboxPool>().toExtend<AsyncDisposable>();
    expectTypeOf<LentSandbox>().toExtend<AsyncDisposable>();
    expectTypeOf<{}>().toExtend<SandboxOptions>();
    expectTypeOf<Sandbox['events']>().returns.toExtend<AsyncIterable<SandboxEvent>>();
    expectTypeOf<Sandbox['policy']['narrow']>().returns.resolves.toEqualTypeOf<Narrowed>();
    expectTypeOf<Sandbox>().not.toHaveProperty('session');
  });
});
