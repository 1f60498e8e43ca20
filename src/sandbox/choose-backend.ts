import { backendNames, type Backend, type BackendName } from '../backends/index.ts';
import { HoldfastError } from '../errors/index.ts';
import { backendOf, type Policy } from '../policy/index.ts';
import { backendNamed } from './backends.ts';

/** The backend that the flag and the policy agree on. `auto` is the native one, and never none. */
export function chooseBackend(flag: BackendName | 'auto', policy: Policy): Backend {
  const wished = backendOf(policy);
  if (flag !== 'auto' && wished !== 'auto' && flag !== wished) {
    throw new HoldfastError('HF_BACKEND_MISSING', `the policy demands the ${wished} backend, the flag ${flag}`, { remedy: `leave --backend out, or change [backend] use in the policy` });
  }
  return presentBackend(flag === 'auto' ? wished : flag);
}

function presentBackend(name: string): Backend {
  const known = name === 'auto' ? 'native' : backendNames.find((candidate) => candidate === name);
  if (known === undefined) {
    throw new HoldfastError('HF_BACKEND_MISSING', `the ${name} backend is not part of this version`, { remedy: `use one of: ${backendNames.join(', ')}` });
  }
  const backend = backendNamed(known);
  const presence = backend.presence();
  if (presence.kind === 'absent') throw new HoldfastError('HF_BACKEND_MISSING', `the ${known} backend is not available here`, { remedy: presence.remedy });
  return backend;
}
