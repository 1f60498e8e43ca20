import type { StreamWatch } from '../types.ts';
import type { Inspection } from './splice.ts';

/** What of a client's bytes may go on. */
export interface Gate {
  push(bytes: Buffer): Buffer | 'stop';
  /** The client says nothing for a while: the other side may be waiting for what the watch holds back. */
  pause(): Buffer | 'stop';
  end(): Buffer | 'stop';
}

const nothing = Buffer.alloc(0);

/** A watch whose first bytes are held back, pauses or not, until they have been inspected, which may refuse them. */
export function gateOf(watch: StreamWatch, inspect?: (bytes: Buffer) => Inspection): Gate {
  let held: Buffer | undefined = inspect === undefined ? undefined : nothing;
  return {
    push(bytes) {
      if (held === undefined) return watch.push(bytes);
      const all = Buffer.concat([held, bytes]);
      const kind = inspect?.(all).kind;
      held = kind === 'more' ? all : undefined;
      if (kind === 'more') return nothing;
      return kind === 'pass' ? watch.push(all) : 'stop';
    },
    pause: () => (held === undefined ? watch.end() : nothing),
    end() {
      const passed = held === undefined ? nothing : watch.push(held);
      const rest = passed === 'stop' ? passed : watch.end();
      return passed === 'stop' || rest === 'stop' ? 'stop' : Buffer.concat([passed, rest]);
    },
  };
}
