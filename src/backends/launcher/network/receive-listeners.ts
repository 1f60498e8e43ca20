import type { ChildProcess } from 'node:child_process';
import { Socket as DatagramSocket } from 'node:dgram';
import type { NetworkSink } from '../../backend.ts';

/** Takes the listeners that the launcher sends in the form in which Node's own children send handles. Anything else ends the box. */
export function receiveListeners(child: ChildProcess, sink: NetworkSink): void {
  child.on('message', (message: unknown, handle: unknown) => {
    const { listener, reach, forward } = (typeof message === 'object' && message !== null ? message : {}) as { readonly listener?: unknown; readonly reach?: unknown; readonly forward?: unknown };
    if (listener === 'dns' && handle instanceof DatagramSocket) sink.dns(handle);
    else if (listener === 'tcp' && typeof handle === 'object' && handle !== null) sink.tcp(handle);
    else if (typeof forward === 'number') sink.forwarded(forward, typeof handle === 'object' && handle !== null ? handle : undefined);
    else if (reach === 'every-port' || reach === 'listed-ports') sink.complete(reach);
    else child.kill('SIGKILL');
  });
}
