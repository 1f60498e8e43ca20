import { type Credential, groupOf } from '../../policy/index.ts';
import type { PhantomOwner } from '../types.ts';

/** Whether a phantom stands for the secret of a credential. */
export function isOf(credential: Credential, owner: PhantomOwner): boolean {
  return groupOf(credential) === owner.credential;
}
