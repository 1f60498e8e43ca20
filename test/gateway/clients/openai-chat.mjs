import OpenAI, { AzureOpenAI } from 'openai';
import { main, model, prompt, result, retries, tool } from './lib.mjs';

const client = process.env['AZURE_OPENAI_ENDPOINT'] === undefined ? new OpenAI({ maxRetries: retries }) : new AzureOpenAI({ maxRetries: retries });
const tools = [{ type: 'function', function: { name: tool.name, description: tool.description, parameters: tool.schema } }];
const asked = { model, tools, messages: [{ role: 'user', content: prompt }] };

function take(seen, { choices: [{ message }], usage }) {
  seen.text += message.content ?? '';
  seen.thinking += message.reasoning_content ?? '';
  for (const call of message.tool_calls ?? []) seen.toolCalls.push({ name: call.function.name, input: JSON.parse(call.function.arguments) });
  seen.usage = usage;
}

async function stream(seen, options) {
  for await (const chunk of await client.chat.completions.create({ ...asked, ...options, stream: true })) {
    if (chunk.usage) seen.usage = chunk.usage;
    const delta = chunk.choices[0]?.delta ?? {};
    seen.text += delta.content ?? '';
    seen.thinking += delta.reasoning_content ?? '';
    for (const { index, function: called } of delta.tool_calls ?? []) {
      seen.toolCalls[index] ??= { name: called.name, input: '' };
      seen.toolCalls[index].input += called.arguments;
    }
  }
}

await main({
  whole: async (seen) => take(seen, await client.chat.completions.create(asked)),
  stream: (seen) => stream(seen, { stream_options: { include_usage: true } }),
  'stream-without-usage': (seen) => stream(seen, {}),
  tools: async (seen) => {
    const first = await client.chat.completions.stream(asked).finalChatCompletion();
    take(seen, first);
    const { message } = first.choices[0];
    const results = (message.tool_calls ?? []).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: result }));
    take(seen, await client.chat.completions.create({ ...asked, messages: [...asked.messages, message, ...results] }));
  },
});
