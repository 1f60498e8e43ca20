import { type OutgoingRequest, fieldValue } from '../../egress/http/message.ts';
import { parametersOf } from '../inject/target.ts';
import { queryNames } from './read-signature.ts';

/**
 * Returns the signature that a request got from us. Undefined if it has none, or still the client's. Anyone who learns it
 * may send the request until it expires, from anywhere.
 */
export function ownSignatureIn(outgoing: OutgoingRequest, asked: OutgoingRequest): string | undefined {
  const own = signatureIn(outgoing);
  return own === signatureIn(asked) ? undefined : own;
}

function signatureIn({ fields, target }: OutgoingRequest): string | undefined {
  const inHeader = /^AWS4-HMAC-SHA256 .*Signature=([\da-f]{64})$/u.exec(fieldValue(fields, 'authorization') ?? '')?.[1];
  return (
    inHeader ??
    parametersOf(target)
      .find(({ name }) => name === queryNames.signature)
      ?.text.slice(-64)
  );
}
