import { type OutgoingRequest, valueOf } from '../../../egress/index.ts';
import type { HttpInjectionKind, InjectorParts } from '../../inject/types.ts';

/** Whether a secret went out in the place of what stood in `Authorization`, or of nothing. */
export function heldPhantom<Kind extends HttpInjectionKind>(
  { fields }: OutgoingRequest,
  { credential, context }: InjectorParts<Kind>,
): boolean {
  return (
    credential.use === 'always' ||
    context.registry.findIn(Buffer.from(valueOf(fields, 'authorization') ?? '', 'latin1')).length > 0
  );
}
