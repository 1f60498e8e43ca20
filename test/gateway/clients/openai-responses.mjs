import OpenAI, { AzureOpenAI } from 'openai';
import { ResponsesWS } from 'openai/resources/responses/ws';
import { main, model, prompt, result, retries, tool } from './lib.mjs';

const client = process.env['AZURE_OPENAI_ENDPOINT'] === undefined ? new OpenAI({ maxRetries: retries }) : new AzureOpenAI({ maxRetries: retries });
const tools = [{ type: 'function', name: tool.name, description: tool.description, parameters: tool.schema, strict: false }];
const asked = { model, tools, input: [{ role: 'user', content: prompt }] };

function take(seen, { output, usage }) {
  for (const item of output) {
    if (item.type === 'message') seen.text += item.content.map(({ text }) => text).join('');
    if (item.type === 'reasoning') seen.thinking += item.summary.map(({ text }) => text).join('');
    if (item.type === 'function_call') seen.toolCalls.push({ name: item.name, input: JSON.parse(item.arguments) });
  }
  seen.usage = usage;
}

/** From the deltas alone, as an agent shows them. */
function takeEvent(seen, event) {
  if (event.type === 'response.output_text.delta') seen.text += event.delta;
  if (event.type === 'response.reasoning_summary_text.delta') seen.thinking += event.delta;
  if (event.type === 'response.output_item.added' && event.item.type === 'function_call') seen.toolCalls.push({ name: event.item.name, input: '' });
  if (event.type === 'response.function_call_arguments.delta') seen.toolCalls.at(-1).input += event.delta;
  if (event.type === 'response.completed') seen.usage = event.response.usage;
}

const answered = (output) => output.filter(({ type }) => type === 'function_call').map(({ call_id }) => ({ type: 'function_call_output', call_id, output: result }));

/** One answer over an open socket. Returns its output. */
async function overSocket(socket, asked, seen) {
  socket.send({ type: 'response.create', ...asked });
  for await (const { type, message, error, code } of socket.stream()) {
    if (type === 'error') throw error;
    if (type === 'close') throw Object.assign(new Error('the socket closed'), { status: code });
    if (type !== 'message') continue;
    takeEvent(seen, message);
    if (message.type === 'response.completed') return message.response.output;
  }
  throw new Error('the socket ended');
}

async function withSocket(use) {
  const socket = new ResponsesWS(client);
  socket.on('error', () => undefined);
  try {
    await use(socket);
  } finally {
    socket.close();
  }
}

await main({
  whole: async (seen) => take(seen, await client.responses.create(asked)),
  stream: async (seen) => {
    for await (const event of await client.responses.create({ ...asked, stream: true })) takeEvent(seen, event);
  },
  tools: async (seen) => {
    const first = await client.responses.stream(asked).finalResponse();
    take(seen, first);
    take(seen, await client.responses.create({ ...asked, input: [...asked.input, ...first.output, ...answered(first.output)] }));
  },
  socket: (seen) => withSocket((socket) => overSocket(socket, asked, seen)),
  'socket-tools': (seen) =>
    withSocket(async (socket) => {
      const output = await overSocket(socket, asked, seen);
      await overSocket(socket, { ...asked, input: [...asked.input, ...output, ...answered(output)] }, seen);
    }),
});
