import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isHoldfastError, Sandbox, type SandboxOptions } from '../../../src/sandbox/index.ts';
import { Project } from '../../lib/holdfast.ts';

export interface ToolWorld {
  readonly project: Project;
  readonly sandbox: Sandbox;
}

/** A sandbox over a throw-away workspace. */
export async function openWorld(options: SandboxOptions = {}): Promise<ToolWorld> {
  const project = new Project();
  return {
    project,
    sandbox: await Sandbox.create({
      workspace: project.workspace,
      environment: project.libraryEnvironment,
      ...options,
    }),
  };
}

export async function closeWorld({ sandbox, project }: ToolWorld): Promise<void> {
  await sandbox.close();
  project[Symbol.dispose]();
}

/** The same for one test. It ends with the test. */
export async function toolWorld(options: SandboxOptions = {}): Promise<ToolWorld> {
  const world = await openWorld(options);
  onTestFinished(() => closeWorld(world));
  return world;
}

/** Writes a tool into the workspace and returns the path of its manifest. More lines of the manifest may follow. */
export function writeTool({ project }: Pick<ToolWorld, 'project'>, module: string | Uint8Array, more = ''): string {
  const [file, kind] =
    typeof module === 'string' ? (['tool.js', 'javascript'] as const) : (['tool.wasm', 'wasm'] as const);
  writeFileSync(join(project.workspace, file), module);
  return project.write('tool.toml', `name = "tool"\nmodule = "${file}"\nkind = "${kind}"\n${more}`);
}

/** A call's result: its output as text, or the code of its error and its message. */
export async function outcomeOf(call: Promise<{ readonly output: Buffer }>): Promise<string> {
  try {
    return (await call).output.toString();
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return `${error.code} ${String(error.details['limit'] ?? '')} ${error.message}`;
  }
}

/** A web server on loopback, which ends with the test. */
export async function webServer(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}
