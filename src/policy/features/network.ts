import * as v from 'valibot';
import { presetNames } from '../builtin/presets/index.ts';
import type { PolicyPart } from '../document/policy-part.ts';
import type { DocumentFinding } from '../document/problem.ts';
import { mostPatterns, texts } from '../document/rule-schema.ts';
import type { LayerKind } from '../verdict.ts';
import { connect, hear, sendDatagram } from './attempts.ts';
import {
  count,
  decision,
  event,
  host,
  inSession,
  millisecondsPart,
  refusal,
  scheme,
  textPart,
  told,
} from './event-parts.ts';
import type { Feature } from './feature.ts';
import { usersOnly } from './said-by.ts';

const forwardedPort = v.union([v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535)), v.string()]);
const mostForwards = 100;

export const networkEntry = v.strictObject({
  hosts: v.optional(texts('Open hosts: "example.com", "*.example.com", "example.com:443", "10.0.0.0/8:5432", "any"')),
  deny: v.optional(texts('Closed hosts, despite any grant')),
  presets: v.optional(
    v.pipe(
      v.array(v.picklist(presetNames)),
      v.maxLength(mostPatterns),
      v.description('Sets of hosts by name, granted like hosts: "npm", "github", "debian" …'),
    ),
  ),
  dns: v.optional(
    v.pipe(
      v.picklist(['fake', 'real']),
      v.description(
        'The addresses of names in the box. "fake" (default): made-up addresses of the session, so that no look-up leaves the host before a connection. "real": the vetted addresses; only if no other policy says "fake"',
      ),
    ),
  ),
  watch: v.optional(
    v.pipe(
      v.picklist(['every-host', 'bound-hosts']),
      v.description(
        'Connections in which Holdfast looks for phantoms of credentials. "every-host" (default): all HTTP. "bound-hosts": only hosts of a credential; only if no other policy says "every-host"',
      ),
    ),
  ),
  inspect: v.optional(
    v.pipe(
      v.picklist(['where-needed', 'every-host']),
      v.description(
        'Hosts whose requests are inspected, with TLS ended. "where-needed" (default): hosts of rules about requests, of credentials and of models. "every-host" of any policy counts: the host of each request has to be that of its connection, and other protocols are refused',
      ),
    ),
  ),
  passthrough: v.optional(
    texts(
      'Hosts whose TLS Holdfast never terminates, e.g. for client certificates or pinned ones; only in user and managed policies',
    ),
  ),
  forward: v.optional(
    v.pipe(
      v.array(forwardedPort),
      v.maxLength(mostForwards),
      v.description(
        'Ports of the box that the host\'s loopback shows: 8080, or "3000:8080" for port 8080 of the box on port 3000 of the host',
      ),
    ),
  ),
  ca: v.optional(texts('PEM files of further certificate authorities for servers; only in user and managed policies')),
});

const policy = { network: v.optional(networkEntry) } as const;

export const network = {
  name: 'network',
  policy,
  settings: { dns: 'network.dns', watch: 'network.watch', inspect: 'network.inspect' },
  patterns: {
    'network.hosts': 'host',
    'network.deny': 'host',
    'network.passthrough': 'host',
    'network.forward': 'forward',
    'network.ca': 'authority file',
  },
  placed,
  events: [
    event('connection', 'one connection out of a box, once it has ended', {
      ...inSession,
      front: v.picklist(['transparent', 'connect', 'absolute-form', 'socks5', 'fetch', 'loopback']),
      ...host,
      address: v.optional(told(textPart, 'the vetted address that was dialled; absent if none was')),
      decision: v.optional(decision),
      rule: v.optional(textPart),
      refusal: v.optional(refusal),
      sent: told(count, 'bytes from the box'),
      received: count,
      duration: millisecondsPart,
      process: v.optional(
        told(v.object({ pid: count, program: textPart }), 'the program that connected, if it could be found'),
      ),
    }),
    event('request', 'one request that was decided separately', {
      ...inSession,
      method: textPart,
      scheme,
      ...host,
      path: told(textPart, 'without its query'),
      status: told(count, '0 without an answer'),
      decision: v.optional(decision),
      rule: v.optional(textPart),
      refusal: v.optional(refusal),
    }),
  ],
  commands: [
    {
      name: 'fetch',
      module: 'fetch.ts',
      export: 'fetchCommand',
      summary: 'Fetch a URL under the network rules of the sandbox',
      section: 'run',
    },
    {
      name: 'proxy',
      module: 'proxy.ts',
      export: 'proxyCommand',
      summary: 'Offer the network of the policy to programs outside the sandbox',
      section: 'run',
    },
  ],
  proofs: [
    {
      guarantee: 'net.closed',
      title: 'connect to a server on the host',
      attempt: connect('+process.env.PORT,"127.0.0.1"'),
    },
    {
      guarantee: 'net.names',
      title: 'reach the host by its own address beside a granted name',
      attempt: hear('+process.env.PORT,process.env.ADDRESS'),
      hosts: ['doctor.invalid'],
    },
    {
      guarantee: 'net.names',
      title: 'send a datagram past the resolver',
      attempt: sendDatagram,
      hosts: ['doctor.invalid'],
    },
  ],
} as const satisfies Feature;

/** Both settings reduce inspection. */
function placed(
  { network: { passthrough, ca } = {} }: PolicyPart<typeof policy>,
  layer: LayerKind,
): readonly DocumentFinding[] {
  return [
    ...usersOnly(passthrough, layer, { at: 'network.passthrough', cannot: 'pass TLS through' }),
    ...usersOnly(ca, layer, { at: 'network.ca', cannot: 'add certificate authorities' }),
  ];
}
