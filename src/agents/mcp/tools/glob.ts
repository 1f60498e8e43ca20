import { array, optional, picklist, strictObject, string, type InferOutput } from 'valibot';
import { defineTool, readsOnly, type ToolAnswer, type ToolContext } from '../tool.ts';
import { path, textField, wholeNumber } from './fields.ts';

const input = strictObject({
  pattern: textField('A pattern such as src/**/*.ts, or a name at any depth, such as *.{json,toml}.', 4096),
  path: optional(path('The directory to look into.'), '.'),
  limit: optional(wholeNumber('Most files to return.', [1, 2000]), 200),
});

const output = strictObject({ paths: array(string()), searched: picklist(['whole', 'limit', 'entries']) });

export const globTool = defineTool({
  name: 'glob',
  title: 'Find files',
  description:
    'Finds files by a pattern of their paths. Looks into .git and node_modules only where the pattern names them.',
  annotations: readsOnly,
  input,
  output,
  run,
});

async function run(
  { pattern, path: name, limit }: InferOutput<typeof input>,
  { sandbox, signal }: ToolContext,
): Promise<ToolAnswer<InferOutput<typeof output>>> {
  const { paths, searched } = await sandbox.filesForModel.find(pattern, { path: name, limit, signal });
  return {
    text: [...paths, ...(paths.length === 0 ? ['[nothing found]'] : []), ...endings[searched]].join('\n'),
    structured: { paths: [...paths], searched },
  };
}

const endings = {
  whole: [],
  limit: ['[there may be more: the limit is reached]'],
  entries: ['[the tree is too large: look into a part of it]'],
} as const;
