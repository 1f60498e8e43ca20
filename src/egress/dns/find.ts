import { isLocalhost } from '../loopback-names.ts';
import type { AnswerContext } from './answer-context.ts';
import { classInternet, rcodes, typeName, types } from './constants.ts';
import type { Query } from './decode-query.ts';
import { pointerRecord } from './encode-reply.ts';
import { findReal } from './find-real.ts';
import { answered, failed, type Finding, given, noData, noSuchName, refused } from './finding.ts';
import { hostNameOf } from './host-name.ts';
import type { NameTable } from './name-table.ts';
import { reversedAddress } from './reverse-name.ts';

/** What a well-formed question is answered with. Only host names in the policy's own spelling ever reach the policy. */
export async function find({ question, edns }: Query, context: AnswerContext): Promise<Finding> {
  if (edns !== undefined && edns.version !== 0) return { outcome: 'malformed', rcode: rcodes.BADVERS, answers: [] };
  if (question.class !== classInternet) return { outcome: 'malformed', rcode: rcodes.REFUSED, answers: [] };
  const name = hostNameOf(question.name);
  if (name === undefined) return noSuchName;
  if (isLocalhost(name)) return given(loopback, question.type);
  if (context.routes?.has(name) === true) return givenFake(name, question.type, context.names);
  const reversed = question.type === types.PTR ? reversedAddress(name) : undefined;
  return reversed === undefined ? await findByPolicy(name, question.type, context) : namesBehind(reversed, context.names);
}

const loopback: readonly string[] = ['127.0.0.1', '::1'];

/** Reverse look-ups are answered from what was handed out, and asked of nobody. */
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
    // The connection is asked about: nobody outside hears of the name before the answer.
    case 'redirect':
      return { ...findHeld(name, type, context), verdict };
    // Nobody can be asked while a look-up waits, and there is nothing of it to keep aside.
    case 'stage':
    case 'ask':
    case 'deny':
      return { ...findRefused(name, type, context), verdict };
  }
}

/** An address of the session, also where others are real: a connection to it has the name, and waits. */
function findHeld(name: string, type: number, { names }: AnswerContext): Finding {
  return type === types.A || type === types.AAAA ? givenFake(name, type, names) : noData;
}

async function findAllowed(name: string, type: number, { names, mode }: AnswerContext): Promise<Finding> {
  // Every other type is a channel to the name servers of whoever owns the name, and nobody needs it to connect.
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
