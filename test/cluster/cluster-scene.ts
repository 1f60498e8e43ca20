import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../../src/cluster/session/open-cluster.ts';
import type { ClusterOptions } from '../../src/cluster/session/connection.ts';
import type { ClusterCommand, ClusterEnd } from '../../src/cluster/session/types.ts';
import { Project } from '../lib/holdfast.ts';
import { ApiServer } from './api-server.ts';

/** Milliseconds. Client and server share a process, which is slow on a busy machine. */
export const shortPatience = { answer: 15_000, tries: 20_000 } as const;

/** A project and an API server of the tests' own. */
export class ClusterScene {
  readonly output = { stdout: '', stderr: '' };
  readonly notices: string[] = [];

  readonly project: Project;
  readonly api: ApiServer;

  private constructor(project: Project, api: ApiServer) {
    this.project = project;
    this.api = api;
  }

  static async open(): Promise<ClusterScene> {
    const project = new Project();
    const scene = new ClusterScene(project, await ApiServer.start());
    scene.writeKubeconfig(scene.api.kubeconfig());
    return scene;
  }

  [Symbol.dispose](): void {
    this.api[Symbol.dispose]();
    this.project[Symbol.dispose]();
  }

  get kubeconfig(): string {
    return join(this.project.home, 'kubeconfig');
  }

  writeKubeconfig(text: string): void {
    writeFileSync(this.kubeconfig, text);
    chmodSync(this.kubeconfig, 0o600);
  }

  cluster(options: ClusterOptions = {}): Promise<Cluster> {
    const environment = { ...this.project.libraryEnvironment, KUBECONFIG: this.kubeconfig };
    return openCluster({ environment, cwd: this.project.workspace, patience: shortPatience, ...options });
  }

  async start(argv: readonly string[], more: object = {}, options: ClusterOptions = {}): Promise<ClusterCommand> {
    const cluster = await this.cluster(options);
    return cluster.run({
      argv,
      session: { cwd: this.project.workspace, environment: this.project.libraryEnvironment },
      kind: 'pod',
      name: 'agent',
      onOutput: (stream, bytes) => void (this.output[stream] += bytes.toString()),
      onNotice: (line) => this.notices.push(line),
      ...more,
    });
  }

  /** Runs a script to its end. Its input ends immediately. */
  async run(script: string, more: object = {}): Promise<ClusterEnd & { kind: 'ended' }> {
    const command = await this.start(['sh', '-c', script], more);
    await command.endInput();
    const end = await command.ended;
    if (end.kind !== 'ended') throw new Error('the command was left');
    return end;
  }
}
