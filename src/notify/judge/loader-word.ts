/** The program that a loader or multi-call binary runs from its arguments. The kernel sends no notification for it. */
export interface Inner {
  readonly program: string;
  readonly argv: readonly string[];
}

/** Whether a program may run another one from its arguments. */
export function runsInner(real: string): boolean {
  const name = baseName(real);
  return multiCall.has(name) || isLoader(name);
}

/** Whether the program chooses its tool by the name it was started with. */
export function isMultiCall(real: string): boolean {
  return multiCall.has(baseName(real));
}

/**
 * Returns the program that the dynamic loader gets (`ld.so PROGRAM`), or the tool of a multi-call binary (`busybox
 * rm`).
 */
export function innerOf(real: string, argv: readonly string[]): Inner | undefined {
  const name = baseName(real);
  if (isLoader(name)) return loaded(argv);
  if (multiCall.has(name) && baseName(argv[0] ?? '').replace(/\.static$/u, '') === name) return tool(argv);
  return undefined;
}

function isLoader(name: string): boolean {
  return /^ld(?:-[\w-]+)?(?:-[\d.]+)?\.so(?:\.\d+)*$/u.test(name);
}

const multiCall: ReadonlySet<string> = new Set(['busybox', 'toybox', 'coreutils']);

/** `man 8 ld.so`: options that take a value. */
const withValue: ReadonlySet<string> = new Set([
  '--library-path',
  '--glibc-hwcaps-prepend',
  '--glibc-hwcaps-mask',
  '--inhibit-rpath',
  '--audit',
  '--preload',
  '--argv0',
]);

function loaded(argv: readonly string[]): Inner | undefined {
  let at = 1;
  while (argv[at]?.startsWith('--') === true) at += withValue.has(argv[at] ?? '') ? 2 : 1;
  const program = argv[at];
  return program === undefined ? undefined : { program, argv: argv.slice(at) };
}

function tool(argv: readonly string[]): Inner | undefined {
  const [, first = ''] = argv;
  const named = /^--coreutils-prog(?:-shebang)?=(.+)$/u.exec(first)?.[1];
  if (named !== undefined) return { program: named, argv: [named, ...argv.slice(2)] };
  return first === '' || first.startsWith('-') ? undefined : { program: first, argv: argv.slice(1) };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
