import * as v from 'valibot';
import { port, scheme, sha256, text, texts } from './fields.ts';

/** What an enforcement point asked about: `PolicyRequest`. */
export const request = v.variant('kind', [
  v.object({ kind: v.literal('file'), operation: v.picklist(['read', 'write', 'create', 'delete', 'execute']), path: text }),
  v.object({ kind: v.literal('exec'), program: text, argv: texts, context: v.picklist(['direct', 'nested']), unknown: v.optional(v.array(v.number())) }),
  v.object({ kind: v.literal('connect'), host: text, port, protocol: v.picklist(['tcp', 'udp']) }),
  v.object({ kind: v.literal('http'), method: text, scheme, host: text, port, path: text }),
  v.object({ kind: v.literal('dns'), name: text, recordType: text }),
  v.object({ kind: v.literal('socket'), operation: v.picklist(['connect', 'bind', 'send']), address: text }),
  v.object({ kind: v.literal('signal'), signal: text, target: v.picklist(['self', 'child', 'box', 'supervisor', 'outside']) }),
  v.object({ kind: v.literal('env'), name: text, looks: v.optional(v.literal('secret')) }),
  v.object({ kind: v.literal('tool'), server: text, tool: text, arguments: text }),
  v.object({ kind: v.literal('trust'), path: text, sha256 }),
  v.object({ kind: v.literal('registry'), operation: v.picklist(['read', 'write', 'create', 'delete']), key: text }),
]);
