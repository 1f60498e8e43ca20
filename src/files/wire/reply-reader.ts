import { HoldfastError } from '../../errors/index.ts';
import { decodeReply } from './decode-reply.ts';
import { FrameCutter } from './frame-cutter.ts';
import type { Reply } from './reply.ts';

/**
 * Cuts what the worker writes into replies and holds it to the order of the protocol. Throws HF_FILES_PROTOCOL for anything
 * else, and then for ever: what follows a wrong byte means nothing. Holds at most one frame. Bytes in replies may be views of
 * the chunk.
 */
export class ReplyReader {
  readonly #cutter = new FrameCutter();
  #greeted: 'no' | 'yes' = 'no';
  #answering: { readonly id: number; readonly next: number } | undefined;
  #broken: HoldfastError | undefined;

  push(chunk: Buffer): Reply[] {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return this.#cutter.push(chunk).map((frame) => this.#inOrder(decodeReply(frame)));
    } catch (error) {
      this.#broken = protocolError(error);
      throw this.#broken;
    }
  }

  #inOrder(reply: Reply): Reply {
    if ((reply.kind === 'hello') === (this.#greeted === 'yes')) throw new RangeError(reply.kind === 'hello' ? 'a second greeting' : `${reply.kind} before the greeting`);
    this.#greeted = 'yes';
    if (reply.kind === 'result') this.#result(reply.id, reply.index);
    if (reply.kind === 'end') this.#end(reply.id, reply.done);
    return reply;
  }

  #result(id: number, index: number): void {
    const { id: current, next } = this.#answering ?? { id, next: 0 };
    if (id !== current || index !== next) throw new RangeError(`result ${index} of request ${id} where result ${next} of request ${current} was due`);
    this.#answering = { id, next: next + 1 };
  }

  #end(id: number, done: number): void {
    const { id: current, next } = this.#answering ?? { id, next: 0 };
    if (id !== current || done !== next) throw new RangeError(`the end of request ${id} after ${done} operations, while request ${current} has had ${next} results`);
    this.#answering = undefined;
  }
}

function protocolError(cause: unknown): HoldfastError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new HoldfastError('HF_FILES_PROTOCOL', `the files worker sent what it should not: ${message}`, { remedy: 'rebuild Holdfast with `make -C native && npm run build`; if it stays, something in the box has taken the worker over', cause });
}
