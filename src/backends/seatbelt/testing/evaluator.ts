import { readProfile, type Form } from './reader.ts';

/** A request to the kernel. */
export interface Request {
  readonly operation: string;
  /** Path of a file, or of a Unix socket. */
  readonly path?: string;
  /** Name of a Mach service. */
  readonly name?: string;
  /** `localhost:8080`, for TCP. */
  readonly address?: string;
  /** The owner of the target process. */
  readonly target?: 'self' | 'children' | 'same-sandbox' | 'others';
}

export interface Answer {
  readonly decision: 'allow' | 'deny';
  readonly message: string | undefined;
}

type Matcher = (request: Request) => boolean;

interface ReadRule extends Answer {
  readonly operations: readonly string[];
  readonly matches: Matcher;
}

/** Answers as the kernel would: by the last rule that concerns the operation and matches. Throws for unknown ones. */
export function evaluator(profile: string): (request: Request) => Answer {
  const [version, ...rules] = readProfile(profile);
  if (JSON.stringify(version) !== JSON.stringify(readProfile('(version 1)')[0])) throw new Error('no version');
  const read = rules.map(readRule).toReversed();
  return (request) => {
    const found = read.find(
      ({ operations, matches }) =>
        operations.some((operation) => isAbout(operation, request.operation)) && matches(request),
    );
    if (found === undefined) throw new Error('no default');
    return { decision: found.decision, message: found.message };
  };
}

function isAbout(operation: string, asked: string): boolean {
  return (
    operation === 'default' ||
    (operation.endsWith('*') ? asked.startsWith(operation.slice(0, -1)) : asked === operation)
  );
}

function readRule(form: Form): ReadRule {
  const [decision, ...parts] = wordsOf(form);
  const name = symbolOf(decision);
  if (name !== 'allow' && name !== 'deny') throw new Error(`no rule: ${name}`);
  const operations = parts.flatMap((part) => (part.kind === 'symbol' ? [part.name] : []));
  const lists = parts.filter((part) => part.kind !== 'symbol');
  const isModifier = (part: Form): boolean => symbolOf(wordsOf(part)[0]) === 'with';
  const filters = lists.filter((part) => !isModifier(part)).map(readFilter);
  const message = lists.filter(isModifier).map((part) => textOf(wordsOf(part)[2]))[0];
  return {
    decision: name,
    operations,
    message,
    matches: (request) => filters.length === 0 || filters.some((matches) => matches(request)),
  };
}

function readFilter(form: Form): Matcher {
  const [head, ...rest] = wordsOf(form);
  switch (symbolOf(head)) {
    case 'literal':
    case 'path-literal': {
      const path = textOf(rest[0]);
      return (request) => request.path === path;
    }
    case 'subpath': {
      const path = textOf(rest[0]);
      return (request) =>
        request.path !== undefined &&
        (request.path === path || request.path.startsWith(path === '/' ? '/' : `${path}/`));
    }
    case 'regex': {
      const pattern = new RegExp(textOf(rest[0]), 'u');
      return (request) => request.path !== undefined && pattern.test(request.path);
    }
    case 'global-name': {
      const service = textOf(rest[0]);
      return ({ name }) => name === service;
    }
    case 'global-name-regex': {
      const pattern = new RegExp(textOf(rest[0]), 'u');
      return ({ name }) => name !== undefined && pattern.test(name);
    }
    case 'sysctl-name': {
      const text = textOf(rest[0]);
      return ({ name }) => name === text;
    }
    case 'sysctl-name-prefix': {
      const text = textOf(rest[0]);
      return ({ name }) => name?.startsWith(text) === true;
    }
    default:
      return readOther(symbolOf(head), rest);
  }
}

function readOther(head: string, rest: readonly Form[]): Matcher {
  switch (head) {
    case 'require-all': {
      const filters = rest.map(readFilter);
      return (request) => filters.every((matches) => matches(request));
    }
    case 'require-not': {
      const [matches = () => true] = rest.map(readFilter);
      return (request) => !matches(request);
    }
    case 'remote':
    case 'local': {
      if (symbolOf(rest[0]) === 'unix-socket') return rest[1] === undefined ? () => false : readFilter(rest[1]);
      const address = textOf(rest[1]);
      return (request) => request.address === address;
    }
    case 'target': {
      const target = symbolOf(rest[0]);
      return (request) => request.target === target;
    }
    case 'socket-domain':
    case 'extension':
    case 'ipc-posix-name':
    case 'iokit-registry-entry-class':
      return () => false;
    default:
      throw new Error(`no filter: ${head}`);
  }
}

function wordsOf(form: Form): readonly Form[] {
  if (form.kind !== 'list') throw new Error(`no list: ${JSON.stringify(form)}`);
  return form.items;
}

function symbolOf(form: Form | undefined): string {
  if (form?.kind !== 'symbol') throw new Error(`no symbol: ${JSON.stringify(form)}`);
  return form.name;
}

function textOf(form: Form | undefined): string {
  if (form?.kind === 'text') {
    if (Buffer.byteLength(form.text) > 255) throw new Error('a string is too long');
    return form.text;
  }
  const [head, ...rest] = form === undefined ? [] : wordsOf(form);
  if (symbolOf(head) !== 'string-append') throw new Error(`no text: ${JSON.stringify(form)}`);
  return rest.map(textOf).join('');
}
