import { normaliseHost } from '../../policy/index.ts';
import type { Destination, Refused, Vetted } from '../types.ts';
import { classifyName } from './classify-name.ts';
import { refuse } from './refuse.ts';
import { vet, type VetContext } from './vet.ts';

/**
 * Whether a destination that the host cannot resolve may be asked of a company's proxy by name: literals are vetted as
 * always, and no special name passes, since nobody can see where it would lead. The addresses are empty.
 */
export function vetUnresolved(destination: Destination, context: VetContext): Vetted | Refused {
  const host = normaliseHost(destination.host);
  if (host === undefined || host.text !== destination.host || host.address !== undefined) return vet(destination, undefined, context);
  const found = classifyName(host.text);
  if (found.kind === 'ordinary') return { kind: 'vetted', destination, addresses: [] };
  return refuse('special-name', `${host.text} stands for ${found.reason} (${found.source}), and the host cannot resolve it`, { remedy: 'make the host resolve it, and name its address under [network] of your policy' });
}
