import { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand, InvokeModelCommand, InvokeModelWithResponseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { main, model, prompt, result, retries, tool } from './lib.mjs';

// It speaks HTTP/2 by default, also in the clear. The SDK reads AWS_ENDPOINT_URL_BEDROCK_RUNTIME, AWS_REGION and the
// keys.
const client = new BedrockRuntimeClient({ maxAttempts: retries + 1 });
const toolConfig = { tools: [{ toolSpec: { name: tool.name, description: tool.description, inputSchema: { json: tool.schema } } }] };
const asked = { modelId: model, toolConfig, messages: [{ role: 'user', content: [{ text: prompt }] }] };
const invoked = { modelId: model, contentType: 'application/json', body: JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', max_tokens: 1000, messages: [{ role: 'user', content: prompt }] }) };

function take(seen, { output, usage }) {
  for (const block of output.message.content) {
    seen.text += block.text ?? '';
    seen.thinking += block.reasoningContent?.reasoningText?.text ?? '';
    if (block.toolUse) seen.toolCalls.push({ name: block.toolUse.name, input: block.toolUse.input });
  }
  seen.usage = usage;
}

/** Returns the received blocks in the form of the next turn. */
async function stream(seen) {
  const blocks = [];
  const { stream: events } = await client.send(new ConverseStreamCommand(asked));
  for await (const { contentBlockStart, contentBlockDelta, metadata } of events) {
    if (contentBlockStart?.start.toolUse) {
      const { toolUseId, name } = contentBlockStart.start.toolUse;
      seen.toolCalls.push({ name, input: '' });
      blocks.push({ toolUse: { toolUseId, name, input: {} } });
    }
    if (contentBlockDelta?.delta.text !== undefined) seen.text += contentBlockDelta.delta.text;
    seen.thinking += contentBlockDelta?.delta.reasoningContent?.text ?? '';
    if (contentBlockDelta?.delta.toolUse) seen.toolCalls.at(-1).input += contentBlockDelta.delta.toolUse.input;
    if (metadata) seen.usage = metadata.usage;
  }
  return blocks;
}

function takeMessage(seen, message) {
  for (const block of message.content) {
    if (block.type === 'text') seen.text += block.text;
    if (block.type === 'thinking') seen.thinking += block.thinking;
    if (block.type === 'tool_use') seen.toolCalls.push({ name: block.name, input: block.input });
  }
  seen.usage = message.usage;
}

function takeInvoked(seen, event) {
  if (event.type === 'message_start') seen.usage = event.message.usage;
  if (event.type === 'message_delta') seen.usage = { ...seen.usage, ...event.usage };
  if (event.type === 'message_stop') seen.usage = { ...seen.usage, metrics: event['amazon-bedrock-invocationMetrics'] };
  if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') seen.toolCalls.push({ name: event.content_block.name, input: '' });
  seen.text += event.delta?.text ?? '';
  seen.thinking += event.delta?.thinking ?? '';
  if (event.delta?.partial_json !== undefined) seen.toolCalls.at(-1).input += event.delta.partial_json;
}

await main({
  whole: async (seen) => take(seen, await client.send(new ConverseCommand(asked))),
  stream: async (seen) => void (await stream(seen)),
  tools: async (seen) => {
    const blocks = await stream(seen);
    for (const [index, { toolUse }] of blocks.entries()) toolUse.input = JSON.parse(seen.toolCalls[index].input);
    const results = blocks.map(({ toolUse }) => ({ toolResult: { toolUseId: toolUse.toolUseId, content: [{ text: result }] } }));
    take(seen, await client.send(new ConverseCommand({ ...asked, messages: [...asked.messages, { role: 'assistant', content: blocks }, { role: 'user', content: results }] })));
  },
  invoke: async (seen) => takeMessage(seen, JSON.parse(new TextDecoder().decode((await client.send(new InvokeModelCommand(invoked))).body))),
  'invoke-stream': async (seen) => {
    const { body } = await client.send(new InvokeModelWithResponseStreamCommand(invoked));
    for await (const { chunk } of body) if (chunk) takeInvoked(seen, JSON.parse(new TextDecoder().decode(chunk.bytes)));
  },
});
