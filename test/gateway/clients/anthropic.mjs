import Anthropic from '@anthropic-ai/sdk';
import { main, model, prompt, result, retries, tool } from './lib.mjs';

const client = new Anthropic({ maxRetries: retries });
const tools = [{ name: tool.name, description: tool.description, input_schema: tool.schema }];
const asked = { model, max_tokens: 1000, tools, messages: [{ role: 'user', content: prompt }] };

function take(seen, message) {
  for (const block of message.content) {
    if (block.type === 'text') seen.text += block.text;
    if (block.type === 'thinking') seen.thinking += block.thinking;
    if (block.type === 'tool_use') seen.toolCalls.push({ name: block.name, input: block.input });
  }
  seen.usage = message.usage;
}

await main({
  whole: async (seen) => take(seen, await client.messages.create(asked)),
  stream: async (seen) => {
    for await (const event of await client.messages.create({ ...asked, stream: true })) {
      if (event.type === 'message_start') seen.usage = event.message.usage;
      if (event.type === 'message_delta') seen.usage = { ...seen.usage, ...event.usage };
      if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') seen.toolCalls.push({ name: event.content_block.name, input: '' });
      if (event.type !== 'content_block_delta') continue;
      if (event.delta.type === 'text_delta') seen.text += event.delta.text;
      if (event.delta.type === 'thinking_delta') seen.thinking += event.delta.thinking;
      if (event.delta.type === 'input_json_delta') seen.toolCalls.at(-1).input += event.delta.partial_json;
    }
  },
  // The SDK itself joins the events.
  tools: async (seen) => {
    const first = await client.messages.stream(asked).finalMessage();
    take(seen, first);
    const results = first.content.filter(({ type }) => type === 'tool_use').map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: result }));
    take(seen, await client.messages.create({ ...asked, messages: [...asked.messages, { role: 'assistant', content: first.content }, { role: 'user', content: results }] }));
  },
});
