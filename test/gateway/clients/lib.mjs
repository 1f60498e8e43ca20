import process from 'node:process';

/** What every program says and offers. `CLIENT_PROMPT` and `CLIENT_RESULT` replace what a person and a tool would say. */
export const model = process.env['CLIENT_MODEL'] ?? 'example-model';
export const prompt = process.env['CLIENT_PROMPT'] ?? 'hello';
export const result = process.env['CLIENT_RESULT'] ?? '7 degrees';
/** Calls that fail are not made again, unless `CLIENT_RETRIES` says how often. */
export const retries = Number(process.env['CLIENT_RETRIES'] ?? 0);
export const tool = { name: 'weather', description: 'The weather of a city.', schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } };

/**
 * Runs the modes that are named on the command line, one after the other, and prints one line of JSON for each:
 * `{ mode, text, thinking, toolCalls: [{ name, input }], usage }`, and `error: { name, status, message }` with what had come until
 * then. `whole`, `stream` and `tools`, a conversation of two turns whose line tells both.
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
