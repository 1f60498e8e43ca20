import type { TokenClient } from '../../credentials/index.ts';
import type { Fetcher } from '../../egress/index.ts';

/** Bytes that an answer of a token endpoint may have. */
const mostBytes = 256 * 1024;

/** Token requests of the supervisor go out as a box's would: decided, vetted, verified. A redirect is refused: nothing says where it leads. */
export function tokenClient(fetcher: () => Fetcher): TokenClient {
  return {
    async fetch(url, { method, headers, body }) {
      if (!url.startsWith('https://')) return { kind: 'unavailable', message: 'its token URL is not https', remedy: 'name an https URL' };
      const result = await fetcher()(url, { method, headers, ...(body === undefined ? {} : { body }), maxBytes: mostBytes, maxRedirects: 0, html: 'source', hidden: 'keep' });
      switch (result.kind) {
        case 'refused':
          return { kind: 'unavailable', message: `its token endpoint could not be asked: ${result.refusal.message}`, remedy: result.refusal.remedy };
        case 'bytes':
          return { kind: 'unavailable', message: 'its token endpoint answered with something that is no text', remedy: 'see whether the token URL is right' };
        case 'text':
          return { kind: 'answer', status: result.status, body: result.text };
      }
    },
  };
}
