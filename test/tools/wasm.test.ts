import { beforeAll, describe, expect, test } from 'vitest';
import { compileAssembly, stop } from './lib/assembly.ts';
import { closeWorld, openWorld, outcomeOf, type ToolWorld, writeTool } from './lib/tools.ts';

const patience = { timeout: 60_000 };
const kit = "import { Config, Host, Var } from './kit/pdk';\n";

let world: ToolWorld;
beforeAll(async () => {
  world = await openWorld();
  return () => closeWorld(world);
});

/** A module whose `run` has these lines. */
async function runs(lines: string, more = ''): Promise<string> {
  return writeTool(world, await compileAssembly(`${kit}${stop}${lines}`), more);
}

describe('a tool in AssemblyScript, with the plug-in kit of Extism', patience, () => {
  test('gets its input and config, and gives its output', async () => {
    const manifest = await runs(
      'export function run(): i32 { const greeting = Config.get("greeting"); Host.outputString((greeting == null ? "none" : greeting) + " " + Host.inputString()); return 0; }',
      '[config]\ngreeting = "hello"\n',
    );
    expect(await outcomeOf(world.sandbox.tools.run(manifest, 'you'))).toBe('hello you');
  });

  test('keeps its variables while it is open, and no other state', async () => {
    const manifest = await runs(
      'let kept: i32 = 0; export function run(): i32 { kept += 1; const seen = Var.getString("seen"); Var.set("seen", Uint8Array.wrap(String.UTF8.encode((seen == null ? "" : seen) + "x"))); Host.outputString(kept.toString() + (seen == null ? "" : seen)); return 0; }',
    );
    await using tool = await world.sandbox.tools.open(manifest);
    expect([await outcomeOf(tool.call()), await outcomeOf(tool.call()), await outcomeOf(tool.call())]).toEqual([
      '1',
      '1x',
      '1xx',
    ]);
    expect(await outcomeOf(world.sandbox.tools.run(manifest))).toBe('1');
  });

  test('may have another entry, and a missing one is reported', async () => {
    expect(
      await outcomeOf(
        world.sandbox.tools.run(
          await runs('export function other(): i32 { Host.outputString("here"); return 0; }', 'entry = "other"'),
          '',
        ),
      ),
    ).toBe('here');
    expect(
      await outcomeOf(world.sandbox.tools.run(await runs('export function other(): i32 { return 0; }'), '')),
    ).toMatch(/^HF_TOOL_INVALID .*exports no function "run"; it has .*"other"/u);
  });

  test.each([
    ['unreachable(); return 0;', /^HF_TOOL_FAILED .*unreachable/u],
    ['return 3;', /^HF_TOOL_FAILED .*returned 3/u],
    ['load<u8>(0x7fffffff); return 0;', /^HF_TOOL_FAILED .*out of bounds/u],
  ])('%s is reported', async (line, message) => {
    expect(await outcomeOf(world.sandbox.tools.run(await runs(`export function run(): i32 { ${line} }`)))).toMatch(
      message,
    );
  });

  test('invalid blocks, and addresses beyond them', async () => {
    const imports =
      '@external("extism:host/env", "load_u8") declare function peek(at: u64): u8;\n@external("extism:host/env", "free") declare function release(at: u64): void;\n@external("extism:host/env", "output_set") declare function give(at: u64, length: u64): void;\n';
    for (const line of [
      'peek(0)',
      'peek(0xffffffffffffffff)',
      'peek(1 << 40)',
      'give(8, 0xffffffffff)',
      'give(0, 1)',
    ]) {
      expect(
        await outcomeOf(
          world.sandbox.tools.run(await runs(`${imports}export function run(): i32 { ${line}; return 0; }`)),
        ),
        line,
      ).toMatch(/^HF_TOOL_FAILED .*outside its blocks/u);
    }
    expect(
      await outcomeOf(
        world.sandbox.tools.run(
          await runs(
            `${imports}export function run(): i32 { release(77); release(0); give(0, 0); Host.outputString("well"); return 0; }`,
          ),
        ),
      ),
    ).toBe('well');
  });
});

describe('limits of a tool in WebAssembly', patience, () => {
  test('its memory grows to the pages of its manifest and no further', async () => {
    const grow =
      'export function run(): i32 { while (memory.grow(1) >= 0) {} Host.outputString(memory.size().toString()); return 0; }';
    expect(await outcomeOf(world.sandbox.tools.run(await runs(grow, 'memory = 64')))).toBe('64');
    expect(await outcomeOf(world.sandbox.tools.run(await runs(grow, 'memory = 8')))).toBe('8');
  });

  test('a module that starts with more is refused', async () => {
    const module = await compileAssembly(`${stop}export function run(): i32 { return 0; }`, [
      '--use',
      'abort=tool/stop',
      '--initialMemory',
      '32',
    ]);
    expect(await outcomeOf(world.sandbox.tools.run(writeTool(world, module, 'memory = 16')))).toMatch(
      /^HF_TOOL_LIMIT memory .*starts with 32 pages/u,
    );
  });

  test('blocks outside of its memory have the same cap', async () => {
    const manifest = await runs(
      '@external("extism:host/env", "alloc") declare function block(length: u64): u64;\nexport function run(): i32 { while (true) block(65536); return 0; }',
      'memory = 16',
    );
    expect(await outcomeOf(world.sandbox.tools.run(manifest))).toMatch(/^HF_TOOL_LIMIT memory .*no room left/u);
  });

  test('a loop is ended at the deadline, and the next call works', async () => {
    const manifest = await runs(
      'export function run(): i32 { if (Host.inputString() == "loop") for (;;) {} Host.outputString("well"); return 0; }',
      'deadline = 500',
    );
    await using tool = await world.sandbox.tools.open(manifest);
    expect(await outcomeOf(tool.call('well'))).toBe('well');
    expect(await outcomeOf(tool.call('loop'))).toMatch(/^HF_TOOL_LIMIT deadline /u);
    expect(await outcomeOf(tool.call('well'))).toBe('well');
  });

  test('so is one in the module’s start function', async () => {
    const module = await compileAssembly(`${stop}export function run(): i32 { return 0; }\nwhile (true) {}`);
    expect(await outcomeOf(world.sandbox.tools.run(writeTool(world, module, 'deadline = 300')))).toMatch(
      /^HF_TOOL_LIMIT deadline /u,
    );
  });

  test('any caller may cancel it', async () => {
    await using tool = await world.sandbox.tools.open(
      await runs('export function run(): i32 { while (true) {} return 0; }', 'deadline = 60000'),
    );
    const reason = new Error('enough');
    const controller = new AbortController();
    const call = tool.call('', { signal: controller.signal });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});

describe('files that are not a tool', patience, () => {
  test.each([
    ['nothing', ''],
    ['a text', Buffer.from('this is no module').toString('hex')],
    ['a component', '0061736d0d000100'],
    ['only its head, and half a section', '0061736d0100000001'],
    ['a section longer than the file', '0061736d01000000057f01'],
    ['two memories', '0061736d01000000050502000100010a'],
    ['a shared memory', '0061736d010000000504010301020a'],
    ['a memory of 64-bit addresses', '0061736d0100000005030104010a'],
    ['structures of the garbage collector', '0061736d0100000001050150005f00'],
  ])('%s is refused', async (_, hex) => {
    expect(await outcomeOf(world.sandbox.tools.run(writeTool(world, Buffer.from(hex, 'hex'))))).toMatch(
      /^HF_TOOL_INVALID /u,
    );
  });

  test.each([
    ['wasi_snapshot_preview1', 'fd_write'],
    ['env', 'memory'],
    ['extism:host/env', 'constructor'],
    ['constructor', 'prototype'],
    ['__proto__', 'toString'],
    ['node:fs', 'readFileSync'],
  ])('the import of %s %s is refused by its name', async (module, name) => {
    const bytes = await compileAssembly(
      `@external(${JSON.stringify(module)}, ${JSON.stringify(name)}) declare function thing(at: i32): i32;\n${stop}export function run(): i32 { return thing(1); }`,
    );
    expect(await outcomeOf(world.sandbox.tools.run(writeTool(world, bytes)))).toMatch(
      new RegExp(`^HF_TOOL_INVALID .*imports functions that tools do not have: function "${name}" of "${module}"`, 'u'),
    );
  });

  test('an imported memory is refused', async () => {
    const bytes = await compileAssembly(`${stop}export function run(): i32 { return 0; }`, [
      '--use',
      'abort=tool/stop',
      '--importMemory',
    ]);
    expect(await outcomeOf(world.sandbox.tools.run(writeTool(world, bytes)))).toMatch(
      /^HF_TOOL_INVALID .*memory "memory" of "env"/u,
    );
  });

  test('a command of the same sandbox runs as before', async () => {
    const { exitCode, stdout } = await world.sandbox.commands.run(['echo', 'intact']);
    expect([exitCode, stdout.toString()]).toEqual([0, 'intact\n']);
  });
});
