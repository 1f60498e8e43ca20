import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { binary, type Project } from './holdfast.ts';

/** A tool's result, in the form that the tests check. */
export interface CallAnswer {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

export interface CallSettings {
  readonly signal?: AbortSignal;
  readonly onprogress?: (note: { readonly progress: number; readonly message?: string | undefined }) => void;
}

/** The official client, connected to its own `holdfast mcp`. */
export class McpClient {
  readonly client: Client;
  readonly transport: StdioClientTransport;

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.transport = transport;
  }

  static async connect(
    project: Project,
    flags: readonly string[] = [],
    environment: NodeJS.ProcessEnv = {},
  ): Promise<McpClient> {
    const env = Object.fromEntries(
      Object.entries({ ...project.environment, ...environment }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    const transport = new StdioClientTransport({
      command: binary,
      args: ['mcp', ...flags],
      cwd: project.workspace,
      env,
      stderr: 'pipe',
    });
    const client = new Client({ name: 'holdfast-test', version: '1' });
    await client.connect(transport);
    // The client checks results against the listed schemas.
    await client.listTools();
    return new McpClient(client, transport);
  }

  async call(name: string, input: object = {}, settings: CallSettings = {}): Promise<CallAnswer> {
    const result = await this.client.callTool({ name, arguments: { ...input } }, { timeout: 120_000, ...settings });
    const texts = result.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    return {
      text: texts.join('\n'),
      structured: (result.structuredContent ?? {}) as CallAnswer['structured'],
      isError: result.isError === true,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}
