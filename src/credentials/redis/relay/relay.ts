import type { Duplex } from 'node:stream';
import { bothClosed, farewell, type StreamScreen, writePieces } from '../../wire/index.ts';
import { writeError } from '../protocol/write.ts';
import type { Carried } from './client-side.ts';

export interface RelayOptions {
  readonly client: Duplex;
  /** What the client has sent already. */
  readonly said: Buffer;
  readonly server: Duplex;
  readonly screen: Pick<StreamScreen, 'incoming' | 'lastIncoming'>;
  fromClient(chunk: Buffer): Carried;
}

/** Carries commands and answers to the end of the connection. Answers are not read: those to what is denied are the server's own. */
export function relay({ client, said, server, screen, fromClient }: RelayOptions): Promise<void> {
  let parting: Buffer | undefined;
  const toServer = (chunk: Buffer): void => {
    const { pieces, problem } = fromClient(chunk);
    const hasRoom = writePieces(server, pieces);
    if (problem === undefined && hasRoom) return;
    if (problem === undefined) {
      client.pause();
      server.once('drain', () => void client.resume());
      return;
    }
    // What was understood is answered first, so that the error stands where it belongs.
    parting = writeError('ERR', problem);
    client.off('data', toServer).resume();
    farewell(server);
  };
  const toClient = (chunk: Buffer): void => {
    const bytes = screen.incoming(chunk);
    if (bytes.length === 0 || client.write(bytes)) return;
    server.pause();
    client.once('drain', () => void server.resume());
  };
  const serverEnded = (): void => {
    const last = screen.lastIncoming();
    if (last.length > 0) client.write(last);
    client.end(parting);
  };
  client.on('data', toServer).once('end', () => farewell(server));
  server.on('data', toClient).once('end', serverEnded);
  if (said.length > 0) toServer(said);
  if (client.readableEnded) farewell(server);
  if (!server.writableNeedDrain) client.resume();
  server.resume();
  return bothClosed(client, server);
}
