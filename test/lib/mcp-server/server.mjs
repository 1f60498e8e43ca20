/**
 * A real MCP server for tests, by the official SDK. Its one argument is a JSON file: `tools` is their list, and `do`
 * the effect of each tool's call. The server reads the file again for each list, so that a test can change its
 * descriptions.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const scenario = () => JSON.parse(readFileSync(process.argv[2], 'utf8'));
const said = (text) => ({ content: [{ type: 'text', text }] });

function make() {
  const server = new Server({ name: 'scenario', version: '1' }, { capabilities: { tools: { listChanged: true } }, instructions: scenario().instructions });
  server.setRequestHandler('tools/list', () => ({ tools: scenario().tools }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const { act, value } = scenario().do?.[params.name] ?? { act: 'echo' };
    return acts[act](params.arguments ?? {}, { server, value });
  });
  return server;
}

const acts = {
  echo: (given) => said(JSON.stringify(given)),
  say: (_given, { value }) => said(value),
  result: (_given, { value }) => value,
  read: (_given, { value }) => said(attempt(() => readFileSync(value, 'utf8'))),
  write: ({ text = 'x' }, { value }) => said(attempt(() => String(writeFileSync(value, text)))),
  environment: () => said(JSON.stringify(process.env)),
  connect: async (_given, { value }) => said(await new Promise((resolve) => connect(value).on('connect', () => resolve('connected')).on('error', ({ code }) => resolve(code)))),
  sample: async (_given, { server }) => said(await asked(server, 'sampling/createMessage', { messages: [], maxTokens: 1 })),
  roots: async (_given, { server }) => said(await asked(server, 'roots/list', {})),
  changed: async (_given, { server }) => said(String(await server.sendToolListChanged())),
  large: (_given, { value }) => said('x'.repeat(value)),
  wait: () => new Promise(() => undefined),
  stray: () => {
    process.stdout.write('this is a line of a log\n{"jsonrpc":"2.0","id":99999,"result":{}}\n');
    return said('after the log');
  },
  deep: () => {
    for (const head of ['{"jsonrpc":"2.0","method":"notifications/message","params":{"data":', '{"jsonrpc":"2.0","id":77,"method":"sampling/createMessage","params":{"messages":']) process.stdout.write(`${head}${'['.repeat(200_000)}${']'.repeat(200_000)}}}\n`);
    return said('after the depth');
  },
  die: () => process.exit(7),
};

function attempt(work) {
  try {
    return work();
  } catch ({ code }) {
    return code;
  }
}

async function asked(server, method, params) {
  try {
    return JSON.stringify(await server.request({ method, params }));
  } catch (error) {
    return `refused: ${error.message}`;
  }
}

serveStdio(make);
