import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Sandbox } from '../src/sandbox/index.ts';
import { type Report, titles } from './lib/report.ts';
import { quantile } from './lib/stats.ts';
import { table } from './lib/table.ts';

const rounds = 60;
const warmups = 10;
const command = ['bash', '-c', 'true'] as const;

/** The cost of a call of the tool `bash` over the same command by the library, in alternation. */
export async function mcp(): Promise<Report> {
  const workspace = mkdtempSync(join(tmpdir(), 'holdfast-bench-'));
  const client = new Client({ name: 'bench', version: '1' });
  try {
    await using sandbox = await Sandbox.create({ workspace });
    await client.connect(
      new StdioClientTransport({
        command: resolve(import.meta.dirname, '../bin/holdfast'),
        args: ['mcp', '--workspace', workspace],
        stderr: 'inherit',
      }),
    );
    const { tool, library } = await measure({
      tool: () => client.callTool({ name: 'bash', arguments: { command: 'true' } }),
      library: () => sandbox.commands.run(command, { show: 'model' }),
    });
    const [toolMedian, libraryMedian] = [quantile(tool, 0.5), quantile(library, 0.5)];
    return {
      title: `mcp: \`true\` by the tool bash and by the library, ${rounds} times each`,
      parts: [table(titles('', ['median ms', 'p90 ms']), [row('MCP bash', tool), row('commands.run', library)])],
      budgets: [
        {
          claim: 'a call over the library',
          measured: toolMedian - libraryMedian,
          limit: 4,
          unit: 'ms',
          direction: 'at-most',
        },
      ],
    };
  } finally {
    await client.close();
    rmSync(workspace, { recursive: true });
  }
}

interface Ways<Value> {
  readonly tool: Value;
  readonly library: Value;
}

/** Milliseconds, sorted. */
async function measure(ways: Ways<() => Promise<unknown>>): Promise<Ways<readonly number[]>> {
  const [tool, library]: [number[], number[]] = [[], []];
  for (let round = -warmups; round < rounds; round += 1) {
    const times = [await timed(ways.tool), await timed(ways.library)] as const;
    if (round < 0) continue;
    tool.push(times[0]);
    library.push(times[1]);
  }
  const ascending = (times: readonly number[]): readonly number[] => times.toSorted((a, b) => a - b);
  return { tool: ascending(tool), library: ascending(library) };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function row(name: string, times: readonly number[]): readonly string[] {
  return [name, quantile(times, 0.5).toFixed(1), quantile(times, 0.9).toFixed(1)];
}
