import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { allProcesses, commandLineOf, isRunning, processFile } from '../../../scripts/testing/processes.ts';
import type { Came } from './traffic.ts';

/** The figures of one part of the endurance run. */
export interface Stretch {
  readonly part: string;
  readonly commands: number;
  readonly failed: number;
  readonly wrong: number;
  /** The first few wrong answers. */
  readonly said: readonly string[];
  /** Number of killed supervisors. */
  readonly killed: number;
  readonly seconds: number;
  /** Megabytes of a supervisor, after a fifth and at the end. */
  readonly memory: readonly [early: number, late: number] | undefined;
  /** Remains and losses, a line each. */
  readonly remains: readonly string[];
}

export class Tally {
  readonly #came = { right: 0, failed: 0, wrong: 0 };
  readonly #memory: number[] = [];
  readonly #said = new Set<string>();
  readonly #began = performance.now();

  add(came: Came, said = ''): void {
    this.#came[came]++;
    if (came !== 'right') this.#said.add(said);
  }

  weigh(pid: number): void {
    const megabytes = Number(/^VmRSS:\s+(\d+)/mu.exec(processFile(pid, 'status'))?.[1]) / 1024;
    if (Number.isFinite(megabytes)) this.#memory.push(megabytes);
  }

  stretch(
    part: string,
    { killed = 0, remains }: { readonly killed?: number; readonly remains: readonly string[] },
  ): Stretch {
    const { right, failed, wrong } = this.#came;
    // The first half contains the largest of a warm process, because a new one is small.
    const early =
      this.#memory.length < 2 ? undefined : Math.max(...this.#memory.slice(0, Math.ceil(this.#memory.length / 2)));
    const late = this.#memory.at(-1);
    return {
      part,
      commands: right + failed + wrong,
      failed,
      wrong,
      said: [...this.#said].slice(0, 5),
      killed,
      seconds: (performance.now() - this.#began) / 1000,
      memory: early === undefined || late === undefined ? undefined : [early, late],
      remains,
    };
  }
}

/** Processes of a home directory, supervisors and boxes, after all had time to end. */
export async function processesLeft(home: string): Promise<readonly string[]> {
  const of = () =>
    allProcesses().filter((pid) => isRunning(pid) && processFile(pid, 'environ').split('\0').includes(`HOME=${home}`));
  for (let tries = 0; tries < 250 && of().length > 0; tries++) await sleep(20);
  return of().map((pid) => `process ${pid} lives: ${commandLineOf(pid).replaceAll('\0', ' ')}`);
}

/** Sockets of supervisors. */
export function socketsIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).filter((name) => name.endsWith('.sock')) : [];
}
