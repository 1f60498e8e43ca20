import type { Plan } from '../../plan/index.ts';
import { list, quoted, rule, type Rule } from './sbpl.ts';

/**
 * A profile knows no names: what is open goes to the one port of loopback on which the supervisor's proxy listens. Loopback is the
 * host's own, so what else listens there stays out of reach, of the box as well.
 */
export function networkRules({ network, mounts, protection }: Pick<Plan, 'network' | 'mounts' | 'protection'>, { proxyPort, privateDirectory }: { readonly proxyPort: number; readonly privateDirectory: string }): readonly Rule[] {
  const shown = network.kind === 'closed' ? [] : network.forward.map(({ box }) => list('local', 'tcp', quoted(`localhost:${box}`)));
  const sockets = [...mounts.flatMap((mount) => (mount.kind === 'bind' && mount.identity.type === 'other' ? [mount.target] : [])), ...protection.released];
  const own = list('subpath', quoted(privateDirectory));
  return [
    { decision: 'deny', operations: ['network*'], filters: [] },
    ...rule('allow', ['network-outbound'], network.kind === 'closed' ? [] : [list('remote', 'tcp', quoted(`localhost:${proxyPort}`))]),
    ...rule('allow', ['network-bind', 'network-inbound'], shown),
    ...rule('allow', ['system-socket'], [list('socket-domain', 'AF_UNIX')]),
    ...rule('allow', ['network-outbound'], [...sockets.map((path) => list('remote', 'unix-socket', list('path-literal', quoted(path)))), list('remote', 'unix-socket', own)]),
    ...rule('allow', ['network-bind', 'network-inbound'], [list('local', 'unix-socket', own)]),
  ];
}
