import { request } from 'node:http';
import type { ApiRequest } from './requests.ts';
import { machineError } from './virtual-machine.ts';

/** Milliseconds for one answer: writing a snapshot takes as long as the disk needs for the guest's memory. */
const patience = 60_000;
const largestAnswer = 1 << 16;

/** Sends one request to the socket of a Firecracker process. Rejects with what it says when it refuses, and for any other answer than 204. */
export async function send(socket: string, { method, path, body }: ApiRequest, limit = patience): Promise<void> {
  const { status, text } = await exchange({ socket, method, path, body: JSON.stringify(body), limit });
  if (status !== 204) throw machineError(`Firecracker refuses ${method} ${path} with ${status}: ${faultOf(text)}`);
}

interface Exchange {
  readonly socket: string;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly limit: number;
}

function exchange({ socket, method, path, body, limit }: Exchange): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(limit);
    const fail = (cause: unknown): void => reject(machineError(signal.aborted ? `Firecracker did not answer ${method} ${path} within ${limit / 1000} seconds` : `Firecracker cannot be asked ${method} ${path}: ${messageOf(cause)}`, cause));
    const headers = { 'content-type': 'application/json', accept: 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' };
    const asked = request({ socketPath: socket, method, path, headers, signal, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('latin1').on('data', (piece: string) => {
        text += piece;
        if (text.length > largestAnswer) asked.destroy(new Error('its answer is too long'));
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text })).on('error', fail);
    });
    asked.on('error', fail).end(body);
  });
}

/** Its own words, as far as they may stand on a terminal. */
function faultOf(text: string): string {
  let fault: unknown;
  try {
    const value: unknown = JSON.parse(text);
    fault = typeof value === 'object' && value !== null && 'fault_message' in value ? value.fault_message : undefined;
  } catch {
    fault = undefined;
  }
  return typeof fault === 'string' ? fault.replace(/[^\x20-\x7e]/gu, '?').slice(0, 500) : 'it does not say why';
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
