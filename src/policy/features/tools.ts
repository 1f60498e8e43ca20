import * as v from 'valibot';
import { decisionLists } from './decision-lists.ts';
import type { Feature } from './feature.ts';

export const tools = {
  name: 'tools',
  policy: { tools: v.optional(v.pipe(v.strictObject(decisionLists), v.description('MCP tools as "server/tool"'))) },
  patterns: { 'tools.allow': 'wildcard', 'tools.ask': 'wildcard', 'tools.deny': 'wildcard' },
  commands: [
    {
      name: 'tool',
      module: 'tool/index.ts',
      export: 'toolCommand',
      summary: 'Run a tool with no more rights than its manifest and the policy grant',
      section: 'run',
    },
  ],
} as const satisfies Feature;
