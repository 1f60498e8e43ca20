import { resolve } from 'node:path';
import { Files } from '../../files/index.ts';
import type { Tool, ToolCallOptions, ToolResult } from '../index.ts';
import { sessionFiles } from '../../files/session/session-files.ts';
import type { Session } from '../../session/session.ts';

/**
 * Tools of a sandbox: programs in JavaScript or WebAssembly. Each has only the grants that its manifest lists and the
 * policy allows.
 */
export class SandboxTools {
  readonly #session: Session;
  readonly #files: Files;
  readonly #open = new Set<Tool>();

  constructor(session: Session) {
    this.#session = session;
    this.#files = new Files(sessionFiles(session));
  }

  /**
   * Reads a manifest, relative to the start directory of commands, and its module. The tool keeps its box between
   * calls. Throws `HF_TOOL_INVALID` for faults of either, and for listed rights that the policy does not grant.
   *
   * @example
   * await using tool = await sandbox.tools.open('tools/shout.toml');
   * const { output } = await tool.call('hello');
   */
  async open(manifest: string): Promise<Tool> {
    const { openTool } = await import('./open-tool.ts');
    const tool: Tool = await openTool(this.#session, resolve(this.#session.place.workspace.cwd, manifest), {
      files: this.#files,
      closing: () => this.#open.delete(tool),
    });
    this.#open.add(tool);
    return tool;
  }

  /** Opens a tool, calls it once and closes it. Throws the errors of `open` and `call`. */
  async run(manifest: string, input: string | Uint8Array = '', options: ToolCallOptions = {}): Promise<ToolResult> {
    await using tool = await this.open(manifest);
    return await tool.call(input, options);
  }

  /** Makes the next calls use new file workers. The tools' boxes have no grants that could be withdrawn. */
  rest(): Promise<void> {
    return this.#files.rest();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((tool) => tool.close()));
    await this.#files.close();
  }
}
