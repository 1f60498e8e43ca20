import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { type WrapEnd, wrapMcp, type WrapOptions } from '../../../src/agents/mcp-wrap/wrap-mcp.ts';
import { LineTransport } from '../../../src/agents/mcp/transport/line-transport.ts';
import { type Project, repository } from '../holdfast.ts';

export interface Tool {
  readonly name: string;
  readonly [key: string]: unknown;
}

/** The descriptions of `server.mjs`, and the effects of each tool's call. */
export interface Scenario {
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  readonly do?: Readonly<Record<string, { readonly act: string; readonly value?: unknown }>>;
}

export interface WrappedOptions {
  readonly name: string;
  readonly scenario: Scenario;
  readonly server?: Partial<WrapOptions['server']>;
}

const program = join(import.meta.dirname, 'server.mjs');
/** The server's own requirements. */
const needed = [import.meta.dirname, join(repository, 'node_modules'), join(repository, 'package.json')];

export function tool(name: string, more: Readonly<Record<string, unknown>> = {}): Tool {
  return { name, description: `does ${name}`, inputSchema: { type: 'object' }, ...more };
}

/** Directory of a scenario, outside the workspace. */
export function keepScenario(project: Project, name: string, scenario: Scenario): string {
  return project.write(`../scenarios/${name}.json`, JSON.stringify(scenario));
}

export function scenarioCommand(file: string): readonly [string, string, string] {
  return [process.execPath, program, file];
}

/** The official client, connected to a wrapped server in this process. */
export class Wrapped {
  readonly client: Client;
  readonly ended: Promise<WrapEnd>;
  readonly #errors: PassThrough;
  readonly #leave: () => Promise<void>;
  #said = '';

  private constructor(
    client: Client,
    parts: { readonly ended: Promise<WrapEnd>; readonly errors: PassThrough; readonly leave: () => Promise<void> },
  ) {
    this.client = client;
    this.ended = parts.ended;
    this.#errors = parts.errors;
    this.#leave = parts.leave;
    this.#errors.on('data', (chunk: Buffer) => (this.#said += chunk.toString()));
  }

  static async connect(project: Project, { name, scenario, server = {} }: WrappedOptions): Promise<Wrapped> {
    const file = keepScenario(project, name, scenario);
    const [toWrap, fromWrap, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const { grants, ...more } = server;
    const ended = wrapMcp({
      server: {
        name,
        argv: scenarioCommand(file),
        cwd: project.workspace,
        environment: project.libraryEnvironment,
        ...more,
        grants: { ...grants, read: [...needed, file, ...(grants?.read ?? [])] },
      },
      input: toWrap,
      output: fromWrap,
      errors,
    });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {}, elicitation: {} } });
    const connected = client.connect(new LineTransport({ input: fromWrap, output: toWrap }));
    await Promise.race([connected, ended.then(() => Promise.reject(new Error('it ended before it began')))]);
    return new Wrapped(client, {
      ended,
      errors,
      leave: async () => {
        toWrap.end();
        await ended;
      },
    });
  }

  /** Text on stderr so far. */
  get said(): string {
    return this.#said;
  }

  async names(): Promise<readonly string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  /** The first text of a call's result. */
  async call(
    name: string,
    input: Readonly<Record<string, unknown>> = {},
  ): Promise<{ readonly text: string; readonly isError: boolean }> {
    const { content, isError } = await this.client.callTool({ name, arguments: { ...input } }, { timeout: 60_000 });
    return {
      text: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'),
      isError: isError === true,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#leave();
  }
}
