import process from 'node:process';
import { DescriptorStream } from '../../backends/launcher/descriptor-stream.ts';
import { FrontLauncher } from '../../backends/launcher/front-launcher.ts';
import type { takeDescriptor } from '../../kernel/index.ts';
import { encodeFrontReply, type FrontReply } from '../../serve/resident/front-reply.ts';
import { isServing } from './own-name.ts';

const descriptor = 3;

/**
 * The front that started this process for its one run: native/src/front/served.c. It becomes the launcher of the box,
 * or starts Node again if this process leaves the run to that. Otherwise it ends with the status of this process.
 */
export class ServedFront {
  /** The front's PID. Until this process catches signals, the kernel ends it together with the front. */
  readonly #front = process.ppid;
  #launcher: FrontLauncher | undefined;
  #state: 'waiting' | 'answered' = 'waiting';

  constructor() {
    // Runs after a thrown error too. A thread may still read from the front, and would block any other exit of this
    // process.
    process.on('exit', (status) => {
      this.#end(status);
      process.kill(process.pid, 'SIGKILL');
    });
  }

  /** Returns the launcher that the front becomes once the plan is written. `take`: for a box with a network. */
  adopt(take: typeof takeDescriptor | undefined): FrontLauncher {
    this.#state = 'answered';
    const stream = new DescriptorStream({
      descriptor,
      peer: this.#front,
      first: encodeFrontReply({ kind: 'box', text: '' }),
    });
    return (this.#launcher = new FrontLauncher(this.#front, stream, take));
  }

  /** Ends this process before anything has begun. Node then does the run itself. */
  leaveToNode(): never {
    this.#answer({ kind: 'cold' });
    process.exit(0);
  }

  #end(status: number): void {
    if (this.#launcher !== undefined) this.#launcher.finish(status);
    else if (this.#state === 'waiting') this.#answer({ kind: 'said', text: '', status });
  }

  #answer(reply: FrontReply): void {
    this.#state = 'answered';
    new DescriptorStream({ descriptor, peer: this.#front }).write(encodeFrontReply(reply));
  }
}

/** Undefined if another program started this process. */
export function servedFront(): ServedFront | undefined {
  return isServing() ? new ServedFront() : undefined;
}
