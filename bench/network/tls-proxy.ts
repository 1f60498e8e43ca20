/**
 * A straightforward proxy that ends TLS: a CONNECT proxy that shows its own certificate and speaks TLS to the one
 * server. `pipes` carries the bytes unchanged. `requests` has Node's own `https` read and resend each request. Neither
 * has rules or a box. Prints its port. tls-proxy.ts pipes|requests CERTIFICATE KEY CA HOST
 */
import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { Agent, createServer as createHttps, request } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer as createTls, type TLSSocket } from 'node:tls';

const [kind = '', certificate = '', key = '', ca = '', host = ''] = process.argv.slice(2);
const identity = { cert: readFileSync(certificate), key: readFileSync(key) };
const upstream = { host: '127.0.0.1', servername: host, ca: readFileSync(ca) };
let port = 0;

const pipes = createTls(identity, (client: TLSSocket) => {
  const server = connect({ ...upstream, port });
  client.on('error', () => server.destroy()).on('close', () => server.destroy());
  server.on('error', () => client.destroy());
  server.pipe(client);
  client.pipe(server);
});

const agent = new Agent({ keepAlive: true });
const requests = createHttps(identity, (incoming, answer) => {
  const { method, url, headers } = incoming;
  const outgoing = request({ ...upstream, port, agent, method, path: url, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 0, response.headers);
    response.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
});

const inner = kind === 'pipes' ? pipes : requests;
const front = createHttp();
front.on('connect', ({ url = '' }: { readonly url?: string | undefined }, client: Socket) => {
  port = Number(url.split(':').at(-1));
  client.on('error', () => client.destroy()).setNoDelay(true);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  inner.emit('connection', client);
});
front.listen(0, '127.0.0.1', () => console.log((front.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
