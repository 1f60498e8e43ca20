import { below } from './request-places.ts';

/** The body of a POST or of `response.create` in a WebSocket, which older clients put under `response`. */
const bodies = ['', 'response.'];
/** `input` of a response, `items` that are put into a conversation. */
const items = [...below(bodies, ['input.*.']), 'items.*.', 'item.'];

/**
 * Items of all kinds by openai 7.57.0, `ResponseInputItem`: messages, calls of tools and what they gave, shells, patches, code. Left out:
 * `summary` and `encrypted_content` of reasoning, images, file data.
 */
const inItem = [
  'content', 'content.*.text', 'content.*.refusal', 'content.*.transcript', 'arguments', 'arguments.**', 'input', 'queries.*', 'results.*.text', 'code', 'outputs.*.logs', 'reason',
  'output', 'output.*.text', 'output.*.stdout', 'output.*.stderr', 'action.**', 'actions.**', 'operation.**',
];

export const responsesText = [
  ...below(bodies, ['instructions', 'instructions.*.content', 'instructions.*.content.*.text', 'input', 'prompt.variables.*', 'prompt.variables.*.text']),
  ...below(items, inItem),
];

/** `result` is base64 of an image in `image_generation_call`, and text in `program_output`. */
export const responsesTextOrBase64 = below(items, ['result']);

export const responsesDefinitions = [
  ...below(bodies, ['tools.*.description', 'tools.*.parameters.**', 'tools.*.format.**', 'tools.*.tools.*.description', 'tools.*.tools.*.parameters.**', 'text.format.schema.**', 'text.format.description']),
  ...below(items, ['tools.*.description', 'tools.*.parameters.**', 'tools.*.input_schema.**']),
];
