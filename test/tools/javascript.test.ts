import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { closeWorld, openWorld, outcomeOf, type ToolWorld, writeTool } from './lib/tools.ts';

const patience = { timeout: 60_000 };

let world: ToolWorld;
beforeAll(async () => {
  world = await openWorld();
  return () => closeWorld(world);
});

describe('a tool in JavaScript', patience, () => {
  test('gets its input and its config, and gives output and log', async () => {
    const manifest = writeTool(
      world,
      "holdfast.log('a', 'warn'); holdfast.log('b'); holdfast.output(holdfast.config.greeting + ' ' + holdfast.input);",
      '[config]\ngreeting = "grüß"\n',
    );
    expect(await world.sandbox.tools.run(manifest, 'dich')).toEqual({
      output: Buffer.from('grüß dich'),
      log: [
        { level: 'warn', text: 'a' },
        { level: 'info', text: 'b' },
      ],
      dropped: 0,
      refusals: [],
    });
  });

  test('may be TypeScript, and await', async () => {
    world.project.write(
      'tool.ts',
      'interface Named { readonly name: string }\nconst it: Named = await Promise.resolve({ name: holdfast.input as string });\nholdfast.output(it.name);',
    );
    const manifest = world.project.write('tool.toml', 'name = "typed"\nmodule = "tool.ts"\nkind = "javascript"\n');
    expect(await outcomeOf(world.sandbox.tools.run(manifest, 'x'))).toBe('x');
    world.project.write('tool.ts', 'enum Colour { Red }');
    expect(await outcomeOf(world.sandbox.tools.run(manifest, 'x'))).toMatch(
      /^HF_TOOL_INVALID .*types can be left out/u,
    );
  });

  test('starts again with every call: a call leaves nothing for the next', async () => {
    await using tool = await world.sandbox.tools.open(
      writeTool(
        world,
        "globalThis.count = (globalThis.count ?? 0) + 1; Array.prototype.mark = 1; holdfast.output(String(count) + ([].mark ?? ''));",
      ),
    );
    expect(await Promise.all([outcomeOf(tool.call()), outcomeOf(tool.call()), outcomeOf(tool.call())])).toEqual([
      '11',
      '11',
      '11',
    ]);
  });

  test('gets its complete input, and gives its complete output, with NUL or without', async () => {
    const manifest = writeTool(
      world,
      'holdfast.log(holdfast.input); String.prototype.includes = () => false; holdfast.output(`${holdfast.input.length} ${holdfast.input}`)',
    );
    for (const text of ['a\0b\0', '\0', '', '"\\u0000"', 'json']) {
      expect(await world.sandbox.tools.run(manifest, text)).toMatchObject({
        output: Buffer.from(`${text.length} ${text}`),
        log: [{ text }],
      });
    }
  });

  test('has the globals of the language and holdfast, and no other', async () => {
    const names = await outcomeOf(
      world.sandbox.tools.run(writeTool(world, 'holdfast.output(Reflect.ownKeys(globalThis).map(String).join(" "))')),
    );
    expect(names.split(' ')).toContain('holdfast');
    for (const name of [
      'process',
      'require',
      'fetch',
      'WebAssembly',
      'Deno',
      'Bun',
      'std',
      'os',
      'setTimeout',
      'console',
      'XMLHttpRequest',
      'navigator',
      'module',
      'Buffer',
      'globalThis.process',
    ])
      expect(names.split(' ')).not.toContain(name);
  });

  test.each([
    ['import fs from "node:fs"', 'could not load module'],
    ['await import("fs")', 'could not load module'],
    ['new Function("return process")()', 'process'],
    ['[].constructor.constructor("return process")()', 'process'],
    ['holdfast.output.constructor("return process")()', 'process'],
  ])('%s fails', async (source, message) => {
    expect(await outcomeOf(world.sandbox.tools.run(writeTool(world, source)))).toMatch(
      new RegExp(`^HF_TOOL_FAILED .*${message}`, 'u'),
    );
  });

  test.each([
    ['throw new TypeError("mine")', 'TypeError: mine'],
    ['throw "a text"', 'a text'],
    ['throw { get message() { throw 1 } }', 'without a message'],
    ['this is no JavaScript', 'SyntaxError'],
    ['await new Promise(() => {})', 'waits for a promise that never settles'],
    ['holdfast.output(1)', 'has to be a text'],
    ['holdfast.http("http://127.0.0.1/")', 'lists no hosts'],
    ['holdfast.readFile("x")', 'lists no paths'],
    ['holdfast.writeFile("x", "y")', 'lists no paths'],
  ])('%s is reported', async (source, message) => {
    const said = await outcomeOf(world.sandbox.tools.run(writeTool(world, source)));
    expect(said).toMatch(/^HF_TOOL_FAILED /u);
    expect(said).toContain(message);
  });

  test('the log and the refusals of a failed tool are in its error', async () => {
    const tool = writeTool(
      world,
      'holdfast.log("first"); try { holdfast.readFile("x") } catch {} throw new Error("mine")',
    );
    await expect(world.sandbox.tools.run(tool)).rejects.toMatchObject({
      code: 'HF_TOOL_FAILED',
      details: {
        log: [{ level: 'info', text: 'first' }],
        dropped: 0,
        refusals: [expect.stringContaining('lists no paths')],
      },
    });
  });

  test('may catch a refusal, and its caller learns of it', async () => {
    const result = await world.sandbox.tools.run(
      writeTool(world, 'try { holdfast.http("http://127.0.0.1/") } catch (error) { holdfast.output(error.message) }'),
    );
    expect(result).toMatchObject({
      output: Buffer.from('the manifest lists no hosts'),
      refusals: ['the manifest lists no hosts'],
    });
  });
});

describe('limits of a tool in JavaScript', patience, () => {
  test.each([
    ['deadline', 'for (;;);', 'deadline = 300'],
    ['deadline', 'for (;;) try { for (;;); } catch {}', 'deadline = 300'],
    ['deadline', 'for (;;) await 1;', 'deadline = 300'],
    ['deadline', '/^(a+)+$/.test("a".repeat(60) + "b")', 'deadline = 300'],
    ['deadline', 'throw { get message() { for (;;); } }', 'deadline = 300'],
    ['fuel', 'for (;;);', 'fuel = 10\ndeadline = 60000'],
    ['memory', 'const all = []; for (;;) all.push("x".repeat(1000) + all.length)', 'memory = 32\ndeadline = 60000'],
    [
      'memory',
      'const all = []; for (let i = 0; i < 64; i += 1) all.push(new Uint8Array(1 << 20))',
      'memory = 256\ndeadline = 60000',
    ],
    ['memory', 'new Uint8Array(2 ** 24)', 'memory = 256'],
  ])('%s: %s', async (limit, source, more) => {
    await using tool = await world.sandbox.tools.open(
      writeTool(world, `if (holdfast.input === "well") holdfast.output("well"); else { ${source} }`, more),
    );
    expect(await outcomeOf(tool.call())).toMatch(new RegExp(`^HF_TOOL_LIMIT ${limit} `, 'u'));
    expect(await outcomeOf(tool.call('well'))).toBe('well');
  });

  test('memory counts completely: the limit’s megabytes fit, and not one more', async () => {
    const source =
      'const all = []; try { for (;;) all.push(new Uint8Array(1 << 20)) } catch {} const most = all.length; all.length = 0; holdfast.output(String(most))';
    for (const megabytes of [4, 16, 64]) {
      const most = Number(
        await outcomeOf(
          world.sandbox.tools.run(writeTool(world, source, `memory = ${megabytes * 16}\ndeadline = 60000`)),
        ),
      );
      expect(most).toBeLessThanOrEqual(megabytes);
      expect(most).toBeGreaterThan(megabytes - 3);
    }
  });

  test.each([
    ['an input', 'holdfast.output("taken")', 'x'.repeat(5 << 20)],
    ['a file', 'holdfast.readFile("large"); holdfast.output("taken")', ''],
    ['an output', 'holdfast.output("é".repeat(700_000))', ''],
    ['a line of the log', 'holdfast.log("é".repeat(700_000)); holdfast.output("taken")', ''],
    ['a text for a file', 'holdfast.writeFile("made", "é".repeat(600_000)); holdfast.output("taken")', ''],
  ])('%s without room is reported: it overwrites nothing, and nothing is lost', async (_, source, input) => {
    world.project.write('large', 'x'.repeat(5 << 20));
    world.project.write('made', '');
    await using tool = await world.sandbox.tools.open(
      writeTool(
        world,
        `if (holdfast.input === "well") holdfast.output("well"); else { ${source} }`,
        'memory = 32\n[paths]\nread = ["large"]\nwrite = ["made"]',
      ),
    );
    expect(await outcomeOf(tool.call(input))).toMatch(/^HF_TOOL_LIMIT memory /u);
    expect(await outcomeOf(tool.call('well'))).toBe('well');
  });

  test('the same steps use the same fuel, at any speed of the machine', async () => {
    const source = 'for (let i = 0; i < 1e6; i += 1); holdfast.output("done")';
    const passes = async (fuel: number) =>
      (await outcomeOf(world.sandbox.tools.run(writeTool(world, source, `fuel = ${fuel}\ndeadline = 60000`)))) ===
      'done';
    expect([await passes(5), await passes(1000)]).toEqual([false, true]);
  });

  test('an endless log is cut off', async () => {
    const { log, dropped } = await world.sandbox.tools.run(
      writeTool(world, 'for (let i = 0; i < 1200; i += 1) holdfast.log("x".repeat(5000))', 'deadline = 60000'),
    );
    expect({ lines: log.length, dropped, longest: log[0]?.text.length }).toEqual({
      lines: 1000,
      dropped: 200,
      longest: 4096,
    });
  });

  test.each([9, 20])('a file of %d MiB exceeds the limit', async (mebibytes) => {
    world.project.write('made', '');
    const source = `let said = 'written'; try { holdfast.writeFile('made', 'x'.repeat(${mebibytes} << 20)) } catch (error) { said = error.message } holdfast.output(said)`;
    expect(
      await outcomeOf(world.sandbox.tools.run(writeTool(world, source, 'memory = 2048\n[paths]\nwrite = ["made"]'))),
    ).toBe(`it sends ${mebibytes << 20} bytes, ${8 << 20} are allowed`);
    expect(readFileSync(join(world.project.workspace, 'made'), 'utf8')).toBe('');
  });

  test('output beyond the limit', async () => {
    expect(
      await outcomeOf(
        world.sandbox.tools.run(writeTool(world, 'holdfast.output("x".repeat(9 << 20))', 'memory = 1024')),
      ),
    ).toMatch(/^HF_TOOL_LIMIT output /u);
  });

  test('endless recursion is an error of its own, in the guest or below it', async () => {
    await using tool = await world.sandbox.tools.open(
      writeTool(
        world,
        'if (holdfast.input === "") (function f() { f() })(); let x = []; for (let i = 0; i < 1e5; i += 1) x = [x]; JSON.stringify(x)',
      ),
    );
    expect(await outcomeOf(tool.call())).toMatch(/^HF_TOOL_FAILED .*stack overflow/u);
    expect(await outcomeOf(tool.call('deep'))).toMatch(/^HF_TOOL_/u);
    expect(await outcomeOf(tool.call())).toMatch(/^HF_TOOL_FAILED .*stack overflow/u);
  });
});

describe('attacks with prototypes', patience, () => {
  test.each([
    'Object.prototype.refused = "x"; JSON.parse = () => ({}); JSON.stringify = () => "{}"; holdfast.readFile("a")',
    'JSON.stringify = () => `{"__proto__":{"path":"/etc/passwd"}}`; holdfast.readFile("a")',
    'Object.prototype.toString = () => "http"; holdfast.http({ url: "http://127.0.0.1/", __proto__: { method: "GET" } })',
    'holdfast.http({ url: "http://127.0.0.1/", headers: { constructor: "x", __proto__: { host: "y" } } })',
    'Array.prototype.push = function () { return 0 }; holdfast.http({ url: "http://127.0.0.1/", headers: { a: "b" } })',
    'holdfast.readFile({ toString: () => "a" })',
    'holdfast.readFile("a".repeat(100000))',
    'holdfast.readFile.call(null, "\\ud800")',
  ])('%s', async (source) => {
    await using tool = await world.sandbox.tools.open(
      writeTool(world, `if (holdfast.input === "well") holdfast.output("well"); else { ${source} }`),
    );
    expect(await outcomeOf(tool.call())).toMatch(/^HF_TOOL_FAILED .*(?:lists no|has to be|is required)/u);
    expect(await outcomeOf(tool.call('well'))).toBe('well');
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('refused');
  });

  test('the one global stays unchanged', async () => {
    expect(
      await outcomeOf(
        world.sandbox.tools.run(
          writeTool(
            world,
            '"use strict"; const tried = []; for (const attempt of [() => { holdfast.http = 1 }, () => { globalThis.holdfast = 1 }, () => { holdfast.config.a = 1 }, () => { holdfast.http.x = 1 }]) try { attempt(); tried.push("changed") } catch { tried.push("kept") } holdfast.output(tried.join())',
          ),
        ),
      ),
    ).toBe('kept,kept,kept,kept');
  });
});
