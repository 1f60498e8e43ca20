import type { Refusal, RefusalAnswer } from '../types.ts';
import { refusalAnswer, refusalStatus } from './refusals.ts';

/** The name of the error is in a header, the message in the body. Source: AWS restJson1 protocol, https://smithy.io/2.0/aws/protocols/aws-restjson1-protocol.html#operation-error-serialization */
export function bedrockRefusal({ status, message }: Refusal): RefusalAnswer {
  const kept = refusalStatus(status);
  return refusalAnswer(status, () => ({ message }), { 'x-amzn-errortype': errorTypes[kept] ?? 'ValidationException' });
}

const errorTypes: Readonly<Record<number, string>> = { 403: 'AccessDeniedException', 404: 'ResourceNotFoundException', 429: 'ThrottlingException' };
