import { type Fields, valueOf } from '../../../egress/index.ts';

/** Header fields whose values are kept. Whatever is not here may be a credential. */
const kept = [
  'content-type',
  'user-agent',
  'accept',
  'anthropic-version',
  'anthropic-beta',
  'openai-version',
  'openai-processing-ms',
  'request-id',
  'x-request-id',
  'x-client-request-id',
  'x-amzn-requestid',
  'x-amzn-errortype',
  'x-goog-api-client',
  'apim-request-id',
  'x-stainless-lang',
  'x-stainless-package-version',
  'x-stainless-retry-count',
  'retry-after',
] as const;

const longestValue = 500;

/** What of a header may be kept, by lower-case names. */
export function keptFields(fields: Fields, hide: (text: string) => string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    kept.flatMap((name) => {
      const value = valueOf(fields, name);
      return value === undefined ? [] : [[name, hide(value).slice(0, longestValue)]];
    }),
  );
}
