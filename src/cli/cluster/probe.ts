import { listenAsProbe, reachProbe, tryContainer } from '../../cluster/session/prove/inside.ts';
import { jsonText } from '../command.ts';
import type { ClusterAction } from './actions.ts';

/* The programs of the pods of `cluster doctor --prove`. */

export const probeListenAction: ClusterAction = {
  options: [],
  takes: { name: true, command: false },
  async run({ positionals: [nonce = ''], io }) {
    await listenAsProbe(nonce);
    io.stdout.write('listening\n');
    return new Promise<number>(() => undefined);
  },
};

/** Takes `ADDRESS/NONCE`. */
export const probeReachAction: ClusterAction = {
  options: [],
  takes: { name: true, command: false },
  async run({ positionals: [words = ''], io }) {
    const [address = '', nonce = ''] = words.split('/');
    io.stdout.write(`${await reachProbe(address, nonce)}\n`);
    return 0;
  },
};

export const probeEscapeAction: ClusterAction = {
  options: [],
  takes: { name: false, command: false },
  run({ io }) {
    io.stdout.write(jsonText(tryContainer()));
    return Promise.resolve(0);
  },
};
