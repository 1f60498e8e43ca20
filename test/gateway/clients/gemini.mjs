import { GoogleGenAI } from '@google/genai';
import { main, model, prompt, result, retries, tool } from './lib.mjs';

const { models } = new GoogleGenAI({ apiKey: process.env['GEMINI_API_KEY'], httpOptions: { retryOptions: { attempts: retries + 1 } } });
const config = { tools: [{ functionDeclarations: [{ name: tool.name, description: tool.description, parametersJsonSchema: tool.schema }] }] };
const asked = { model, config, contents: [{ role: 'user', parts: [{ text: prompt }] }] };

function take(seen, answer) {
  for (const part of answer.candidates?.[0]?.content?.parts ?? []) {
    if (part.text !== undefined) seen[part.thought === true ? 'thinking' : 'text'] += part.text;
    if (part.functionCall !== undefined) seen.toolCalls.push({ name: part.functionCall.name, input: part.functionCall.args });
  }
  seen.usage = answer.usageMetadata ?? seen.usage;
}

await main({
  whole: async (seen) => take(seen, await models.generateContent(asked)),
  stream: async (seen) => {
    for await (const chunk of await models.generateContentStream(asked)) take(seen, chunk);
  },
  tools: async (seen) => {
    const parts = [];
    for await (const chunk of await models.generateContentStream(asked)) {
      take(seen, chunk);
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    }
    const results = parts.filter(({ functionCall }) => functionCall !== undefined).map(({ functionCall: { id, name } }) => ({ functionResponse: { id, name, response: { output: result } } }));
    take(seen, await models.generateContent({ ...asked, contents: [...asked.contents, { role: 'model', parts }, { role: 'user', parts: results }] }));
  },
});
