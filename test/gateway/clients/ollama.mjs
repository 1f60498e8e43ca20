import { main, model, prompt, result, tool } from './lib.mjs';

// The dependencies have no SDK of Ollama, so this uses fetch as its documentation shows.
const base = process.env['OLLAMA_HOST'];
const tools = [{ type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.schema } }];
const messages = [{ role: 'user', content: prompt }];

async function ask(path, body) {
  const response = await fetch(`${base}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model, ...body }) });
  if (!response.ok) throw Object.assign(new Error((await response.json()).error), { status: response.status });
  return response;
}

function take(seen, line) {
  if (line.error !== undefined) throw new Error(line.error);
  seen.text += line.message?.content ?? line.response ?? '';
  seen.thinking += line.message?.thinking ?? line.thinking ?? '';
  for (const call of line.message?.tool_calls ?? []) seen.toolCalls.push({ name: call.function.name, input: call.function.arguments });
  if (line.done) seen.usage = { prompt_eval_count: line.prompt_eval_count, eval_count: line.eval_count };
}

async function lines(seen, response) {
  let rest = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    const all = `${rest}${piece}`.split('\n');
    rest = all.pop();
    for (const line of all) take(seen, JSON.parse(line));
  }
}

await main({
  whole: async (seen) => take(seen, await (await ask('/api/chat', { messages, tools, stream: false })).json()),
  stream: async (seen) => lines(seen, await ask('/api/chat', { messages, tools })),
  tools: async (seen) => {
    await lines(seen, await ask('/api/chat', { messages, tools }));
    const calls = seen.toolCalls.map(({ name, input }) => ({ function: { name, arguments: input } }));
    const results = calls.map((call) => ({ role: 'tool', tool_name: call.function.name, content: result }));
    await lines(seen, await ask('/api/chat', { messages: [...messages, { role: 'assistant', content: seen.text, tool_calls: calls }, ...results], tools }));
  },
  generate: async (seen) => take(seen, await (await ask('/api/generate', { prompt, stream: false })).json()),
  'generate-stream': async (seen) => lines(seen, await ask('/api/generate', { prompt })),
});
