import { normaliseHost } from '../../policy/normalise/host.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { isLocalhost } from '../loopback-names.ts';
import type { EgressRefusal, EgressRefusalCode, Refused, Resolution } from '../types.ts';
import type { Query } from './decode-query.ts';
import { addressRecord, type AnswerRecord, pointerRecord } from './encode-reply.ts';
import { type AnswerContext, isFakeAddress, type NameTable, type RealAddresses } from './name-table.ts';
import { classInternet, hostNameOf, type Rcode, rcodes, typeName, types } from './wire-name.ts';

/** Answers a well-formed question. Only host names in the policy's own spelling ever reach the policy. */
export async function find({ question, edns }: Query, context: AnswerContext): Promise<Finding> {
  if (edns !== undefined && edns.version !== 0) return { outcome: 'malformed', rcode: rcodes.BADVERS, answers: [] };
  if (question.class !== classInternet) return { outcome: 'malformed', rcode: rcodes.REFUSED, answers: [] };
  const name = hostNameOf(question.name);
  if (name === undefined) return noSuchName;
  if (isLocalhost(name)) return given(loopback, question.type);
  if (context.routes?.has(name) === true) return givenFake(name, question.type, context.names);
  const reversed = question.type === types.PTR ? reversedAddress(name) : undefined;
  return reversed === undefined
    ? await findByPolicy(name, question.type, context)
    : namesBehind(reversed, context.names);
}

const loopback: readonly string[] = ['127.0.0.1', '::1'];

/** Answers reverse look-ups from the session's own addresses, without asking any server. */
function namesBehind(address: string, table: NameTable): Finding {
  const names = loopback.includes(address) ? ['localhost'] : table.namesOf(address);
  return names.length === 0 ? noSuchName : answered(names.flatMap((name) => pointerRecord(name) ?? []));
}

async function findByPolicy(name: string, type: number, context: AnswerContext): Promise<Finding> {
  const verdict = context.authority.decide({ kind: 'dns', name, recordType: typeName(type) });
  switch (verdict.decision) {
    case 'allow':
    case 'audit':
      return { ...(await findAllowed(name, type, context)), verdict };
    // The user is asked about the connection, not about the look-up. No name server learns the name before that answer.
    case 'redirect':
      return { ...findHeld(name, type, context), verdict };
    // Nobody can be asked while a look-up waits, and a look-up has nothing to stage.
    case 'stage':
    case 'ask':
    case 'deny':
      return { ...findRefused(name, type, context), verdict };
  }
}

/**
 * Returns a fake address of the session, even in real-address mode. A connection to that address identifies the name,
 * and waits for the approval.
 */
function findHeld(name: string, type: number, { names }: AnswerContext): Finding {
  return type === types.A || type === types.AAAA ? givenFake(name, type, names) : noData;
}

async function findAllowed(name: string, type: number, { names, mode }: AnswerContext): Promise<Finding> {
  // Every other type is a channel to the name's own name servers, and no connection needs it.
  if (type !== types.A && type !== types.AAAA) return noData;
  switch (mode.kind) {
    case 'real':
      return await findReal({ name, type, names, mode });
    case 'fake':
      return givenFake(name, type, names);
  }
}

function givenFake(name: string, type: number, names: NameTable): Finding {
  if (type !== types.A) return noData;
  const address = names.addressFor(name);
  return address === undefined ? failed : given([address], type);
}

function findRefused(name: string, type: number, { names, refusedNames }: AnswerContext): Finding {
  if (refusedNames === 'nxdomain') return refused;
  if (type !== types.A) return { ...refused, rcode: rcodes.NOERROR };
  const address = names.addressFor(name, 'refused');
  return address === undefined ? refused : { ...given([address], type), outcome: 'explained' };
}

const suffixV4 = '.in-addr.arpa';
const suffixV6 = '.ip6.arpa';

/**
 * Returns the address behind `4.3.2.1.in-addr.arpa` or its IPv6 counterpart (RFC 1035 §3.5, RFC 3596 §2.5). Undefined
 * for other names.
 */
export function reversedAddress(name: string): string | undefined {
  if (name.endsWith(suffixV4)) return reversedV4(name.slice(0, -suffixV4.length).split('.'));
  return name.endsWith(suffixV6) ? reversedV6(name.slice(0, -suffixV6.length).split('.')) : undefined;
}

function reversedV4(labels: readonly string[]): string | undefined {
  if (labels.length !== 4 || !labels.every((label) => /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) < 256))
    return undefined;
  return labels.toReversed().join('.');
}

function reversedV6(labels: readonly string[]): string | undefined {
  if (labels.length !== 32 || !labels.every((label) => /^[\da-f]$/.test(label))) return undefined;
  const digits = labels.toReversed().join('');
  return normaliseHost((digits.match(/.{4}/g) ?? []).join(':'))?.text;
}

interface RealQuestion {
  readonly name: string;
  readonly type: number;
  readonly names: NameTable;
  readonly mode: RealAddresses;
}

/** Returns the real addresses of a decided name, and remembers them so that a connection to one of them has a name. */
async function findReal({ name, type, names, mode }: RealQuestion): Promise<Finding> {
  const resolution = await mode.resolver.resolve(name);
  const vetted = resolution.kind === 'refused' ? resolution : await mode.vet(name, resolution);
  if (vetted.kind === 'refused') return findingOf(vetted);
  const addresses = realAddresses(vetted);
  names.remember(
    name,
    addresses.filter((address) => !isLoopback(address)),
  );
  return given(addresses, type);
}

/**
 * An address in the fake range belongs to a name of this session. A name server that answers with such an address would
 * impersonate that name.
 */
function realAddresses({ addresses }: Resolution): readonly string[] {
  return addresses.filter((address) => !isFakeAddress(address));
}

/**
 * Loopback belongs to the box, even if a name resolves to it. If such a name were remembered, it would count as the
 * name of every service on loopback.
 */
function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function findingOf({ refusal }: Refused): Finding {
  return { ...(findings[refusal.code] ?? refused), refusal } satisfies Finding & { readonly refusal: EgressRefusal };
}

const noSuchName: Finding = { outcome: 'no-such-name', rcode: rcodes.NXDOMAIN, answers: [] };

const failed: Finding = { outcome: 'failed', rcode: rcodes.SERVFAIL, answers: [] };

const findings: Partial<Readonly<Record<EgressRefusalCode, Finding>>> = {
  'name-not-found': noSuchName,
  'resolver-failed': failed,
  'upstream-timeout': failed,
  overloaded: failed,
};

/** Answer to a question, with its entry for the journal. */
interface Finding extends Omit<LookupRecord, 'name' | 'type'> {
  readonly rcode: Rcode;
  readonly answers: readonly AnswerRecord[];
}

const noData: Finding = { outcome: 'no-data', rcode: rcodes.NOERROR, answers: [] };

const refused: Finding = { outcome: 'refused', rcode: rcodes.NXDOMAIN, answers: [] };

/** Answers with the addresses of the requested type. */
function given(addresses: readonly string[], type: number): Finding {
  return answered(
    addresses.flatMap((address) => addressRecord(address) ?? []).filter((record) => record.type === type),
  );
}

function answered(answers: readonly AnswerRecord[]): Finding {
  return answers.length === 0 ? noData : { outcome: 'answered', rcode: rcodes.NOERROR, answers };
}

/**
 * - `answered` — with an address or a name.
 * - `no-data` — the name is allowed, but has no record of that type here.
 * - `refused` — by the policy, or by the vetting of its addresses.
 * - `explained` — refused, with an address that explains the refusal to a client.
 * - `no-such-name` — nothing that could have an address.
 * - `failed` — no answer could be found.
 * - `malformed` — not a question that Holdfast reads.
 */
type LookupOutcome = 'answered' | 'no-data' | 'refused' | 'explained' | 'no-such-name' | 'failed' | 'malformed';

/** A journal entry about one look-up. */
export interface LookupRecord {
  /** Printable: bytes outside host names are written as `\ddd`. Empty if the message was unreadable. */
  readonly name: string;
  /** `A`, `TXT`, `TYPE1234` … Empty if the message was unreadable. */
  readonly type: string;
  readonly outcome: LookupOutcome;
  /** Absent if the policy was not asked: for `localhost`, reverse look-ups, and texts that are not host names. */
  readonly verdict?: Verdict;
  readonly refusal?: EgressRefusal;
}
