/**
 * `http2-server.ts CERTIFICATE KEY TOKEN`: answers HTTP/2 requests with the token, on the loopback. Prints its port.
 * Ends with its standard input.
 */
import { createSecureServer } from 'node:http2';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';

const [certificate = '', key = '', token = ''] = process.argv.slice(2);
const server = createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) });
server.on('stream', (stream, { authorization }) => {
  stream.on('error', () => undefined).respond({ ':status': authorization === `Bearer ${token}` ? 200 : 401 });
  stream.end('small body!\n');
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
