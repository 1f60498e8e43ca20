import process from 'node:process';

/**
 * The prompt and the tool of every program. `CLIENT_PROMPT` and `CLIENT_RESULT` replace the texts of the person and the
 * tool.
 */
export const model = process.env['CLIENT_MODEL'] ?? 'example-model';
export const prompt = process.env['CLIENT_PROMPT'] ?? 'hello';
export const result = process.env['CLIENT_RESULT'] ?? '7 degrees';
/** Retries no failed calls, unless `CLIENT_RETRIES` is a number. */
export const retries = Number(process.env['CLIENT_RETRIES'] ?? 0);
export const tool = { name: 'weather', description: 'The weather of a city.', schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } };

/**
 * Runs the modes of the command line in turn, and prints one line of JSON for each: `{ mode, text, thinking, toolCalls:
 * [{ name, input }], usage }`. A failed mode prints the received parts and `error: { name, status, message }`. The
 * modes are `whole`, `stream` and `tools`, a conversation of two turns with one line for both.
 */
export async function main(modes) {
  for (const mode of process.argv.slice(2)) {
    const seen = { mode, text: '', thinking: '', toolCalls: [], usage: null };
    try {
      await modes[mode](seen);
    } catch (error) {
      seen.error = { name: error?.constructor?.name === 'Error' ? (error.name ?? 'Error') : error?.constructor?.name, status: error?.status ?? error?.$metadata?.httpStatusCode ?? null, message: String(error?.message) };
    }
    process.stdout.write(`${JSON.stringify(seen)}\n`);
  }
  process.exit(0);
}
