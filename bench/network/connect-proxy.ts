/** A straightforward CONNECT proxy on Node's own `http`, without rules and without a box. Prints its port. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

const server = createServer();
server.on('connect', (request, client, head) => {
  const [host, port] = (request.url ?? '').split(':');
  client.on('error', () => client.destroy());
  const upstream = connect({ host: host ?? '', port: Number(port), noDelay: true }, () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(client);
    client.pipe(upstream);
  });
  upstream.on('error', () => client.destroy());
  client.on('close', () => upstream.destroy());
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 8192 }, () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
