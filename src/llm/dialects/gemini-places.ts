import { below } from './request-places.ts';

/** Google's servers read both spellings of a member, and one object where a list should be. A client that writes the rarer one must not be overlooked. */
const spellings = (camel: string): readonly string[] => [camel, camel.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`)];

/** The body itself, that of `countTokens`, and those of batches. */
const bodies = [
  '', ...spellings('generateContentRequest').map((body) => `${body}.`), 'requests.*.', 'requests.*.request.',
  ...spellings('inputConfig').flatMap((config) => [`batch.${config}.requests.requests.*.request.`]),
];
const contents = below(bodies, ['contents.*.', 'contents.', 'content.', ...spellings('systemInstruction').flatMap((one) => [`${one}.`, `${one}.*.`])]);
const parts = below(contents, ['parts.*.', 'parts.']);

/** By @google/genai 3.1.0, `Part`. `inlineData`, `fileData` and `thoughtSignature` are left out. */
const inPart = [
  'text',
  ...spellings('functionCall').flatMap((one) => [`${one}.args.**`]),
  ...spellings('functionResponse').flatMap((one) => [`${one}.response.**`]),
  ...spellings('toolCall').flatMap((one) => [`${one}.args.**`]),
  ...spellings('toolResponse').flatMap((one) => [`${one}.response.**`]),
  ...spellings('executableCode').flatMap((one) => [`${one}.code`]),
  ...spellings('codeExecutionResult').flatMap((one) => [`${one}.output`]),
];

/** `instances` are those of Vertex' `:predict`; `contents` and `systemInstruction` may be plain texts in what SDKs of others write. */
export const geminiText = [
  ...below(parts, inPart),
  ...below(bodies, ['contents', 'contents.*', ...spellings('systemInstruction')]),
  'instances.*.content', 'instances.*.prompt', 'instances.*.text',
];

const declarations = below(bodies, ['tools.*.', 'tools.']).flatMap((tools) => spellings('functionDeclarations').flatMap((one) => [`${tools}${one}.*.`, `${tools}${one}.`]));
export const geminiDefinitions = below(declarations, ['description', 'parameters.**', 'response.**', ...spellings('parametersJsonSchema').map((one) => `${one}.**`), ...spellings('responseJsonSchema').map((one) => `${one}.**`)]);
