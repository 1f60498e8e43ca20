import type * as v from 'valibot';
import { attach } from './attach.ts';
import { decide } from './decide.ts';
import { exec } from './exec.ts';
import { logs } from './logs.ts';
import { open } from './open.ts';
import { ps } from './ps.ts';
import { stop } from './stop.ts';

/** Every kind of request by its name. Another one is a file beside these and a row here. */
export const requestKinds = { open, exec, attach, logs, stop, ps, decide } as const;

type Kinds = typeof requestKinds;
export type RequestName = keyof Kinds;

/** What a client may ask. */
export type Request = { readonly [K in RequestName]: { readonly kind: K } & v.InferInput<Kinds[K]['schema']> }[RequestName];

/** What each is answered with. */
export type Results = { readonly [K in RequestName]: Awaited<ReturnType<Kinds[K]['answer']>> };
