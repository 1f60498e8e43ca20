import { loadsCode } from '../../shell/loads-code.ts';
import type { Provider } from '../builtin/providers/index.ts';
import type { CredentialTable } from './schema.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import { deliveredVariables, repeatedIn } from './delivered-variables.ts';
import { type Read, read, readAll, readParts, joinedWrongs, type Wrong, wrong } from './read.ts';
import { sourcePath } from './read-source.ts';
import type { BaseUrlVariable, DeliveredFile, DeliveredVariable, Delivery } from './types.ts';

export interface DeliveryPlace {
  readonly at: string;
  readonly roots: Roots;
  readonly provider: Provider | undefined;
}

/** Reads the form of a credential in the box. */
export function readDelivery(table: CredentialTable, { at, roots, provider }: DeliveryPlace): Read<Delivery> {
  const delivery = readParts<Delivery>({
    environment: readVariables(table, at, provider),
    files: readAll((table.files ?? []).map((file, index) => readFile(file, `${at}.files[${index}]`, roots))),
    baseUrls: readAll(
      (table.base_urls ?? []).map((text, index) => readBaseUrl(text, `${at}.base_urls[${index}]`, provider)),
    ),
  });
  return delivery.kind === 'wrong' ? delivery : (repeated(delivery.value, at) ?? delivery);
}

/** Variables that the provider's clients read, if the table names none. */
function readVariables(
  { environment }: CredentialTable,
  at: string,
  provider: Provider | undefined,
): Read<readonly DeliveredVariable[]> {
  if (environment !== undefined)
    return readAll(environment.map((text, index) => readVariable(text, `${at}.environment[${index}]`, provider)));
  const usual = provider?.variables.filter(({ delivered }) => delivered === 'always') ?? [];
  return read(usual.map(({ name, template = placeholder }) => ({ name, template })));
}

const placeholder = '{phantom}';
const anyPlaceholder = /\{phantom(?::(?:accessKeyId|sessionToken))?\}/;

function readVariable(text: string, at: string, provider: Provider | undefined): Read<DeliveredVariable> {
  const { name, value: written } = splitAssignment(text);
  const value = written ?? provider?.variables.find((known) => known.name === name)?.template ?? placeholder;
  const problem = nameProblem(name, at);
  if (problem !== undefined) return problem;
  if (/\p{Cc}/u.test(value)) return wrong(at, `the value of ${name} holds a control character`, 'leave it out');
  if (anyPlaceholder.test(value)) return read({ name, template: value });
  return wrong(
    at,
    `the value of ${name} holds no ${placeholder}: it would be the same in every box`,
    `write "${name}", or "${name}=… ${placeholder} …"; other values go into environment.set`,
  );
}

function readBaseUrl(text: string, at: string, provider: Provider | undefined): Read<BaseUrlVariable> {
  const { name, value } = splitAssignment(text);
  const problem = nameProblem(name, at);
  if (problem !== undefined) return problem;
  const path = value ?? provider?.baseUrls.find((known) => known.name === name)?.path ?? '';
  return /^(?:\/[\w.~-]+)*$/.test(path)
    ? read({ name, path })
    : wrong(at, `the text after ${name} is no path, or ends with a slash`, `write "${name}=/v1", or "${name}" alone`);
}

function readFile(
  { path: text, format, claims = 'kept' }: NonNullable<CredentialTable['files']>[number],
  at: string,
  roots: Roots,
): Read<DeliveredFile> {
  const path = sourcePath(text, roots);
  return path === undefined
    ? wrong(`${at}.path`, 'path is not one file outside of the workspace', 'write it absolute, or below ~/')
    : read({ path, format, claims });
}

function splitAssignment(text: string): { readonly name: string; readonly value?: string } {
  const equals = text.indexOf('=');
  return equals === -1 ? { name: text } : { name: text.slice(0, equals), value: text.slice(equals + 1) };
}

function nameProblem(name: string, at: string): Wrong | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name))
    return wrong(
      at,
      'it does not start with the name of a variable',
      'write "NAME", or "NAME=…" with letters, digits and underscores',
    );
  return loadsCode(name)
    ? wrong(
        at,
        `${name} cannot hold a phantom: programs run the code that it names`,
        'deliver the phantom in another variable, or in a file',
      )
    : undefined;
}

/** A variable has one value, and a path one file. */
function repeated(delivery: Delivery, at: string): Wrong | undefined {
  const files = delivery.files.map(({ path }, index) => ({ name: path, at: `${at}.files[${index}]` }));
  return joinedWrongs(
    repeatedIn([...deliveredVariables({ delivery }, at), ...files], ({ name }) => name).map(({ item }) =>
      wrong(item.at, `${item.name} is delivered twice`, 'take one of them out'),
    ),
  );
}
