/** The file next to an image that names its parts and its sources. */
export interface ImageManifest {
  readonly format: 1;
  /** Version of the guest's kernel, as in `uname -r`. */
  readonly kernelVersion: string;
  readonly source: ImageSource;
  readonly files: Readonly<Record<ImageFileName, ImageFile>>;
  /** SHA-256 of the guest's first program. */
  readonly guest: string;
  /** The guest's kernel modules, in load order. */
  readonly modules: readonly { readonly name: string; readonly sha256: string }[];
}

export const imageFiles = ['vmlinux', 'initramfs.cpio'] as const;
export type ImageFileName = (typeof imageFiles)[number];

export interface ImageFile {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

export type ImageSource =
  | { readonly kind: 'package'; readonly name: string; readonly version: string; readonly sha256: string }
  | { readonly kind: 'installed'; readonly kernel: string; readonly sha256: string };

/** Returns the same bytes for the same manifest. */
export function writeImageManifest({ kernelVersion, source, files, guest, modules }: ImageManifest): string {
  return `${JSON.stringify({ format: 1, kernelVersion, source, files: { vmlinux: files.vmlinux, 'initramfs.cpio': files['initramfs.cpio'] }, guest, modules }, undefined, 2)}\n`;
}

/** Undefined for a text that this version's build did not write. */
export function readImageManifest(text: string): ImageManifest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isManifest(value) ? value : undefined;
}

function isManifest(value: unknown): value is ImageManifest {
  if (
    !isRecord(value) ||
    value['format'] !== 1 ||
    typeof value['kernelVersion'] !== 'string' ||
    !isSource(value['source'])
  )
    return false;
  const { files, modules } = value;
  return (
    isRecord(files) &&
    imageFiles.every((name) => isFile(files[name])) &&
    isDigest(value['guest']) &&
    Array.isArray(modules) &&
    modules.every(isModule)
  );
}

function isSource(value: unknown): boolean {
  if (!isRecord(value) || !isDigest(value['sha256'])) return false;
  if (value['kind'] === 'installed') return typeof value['kernel'] === 'string';
  return value['kind'] === 'package' && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function isFile(value: unknown): boolean {
  return isRecord(value) && Number.isSafeInteger(value['size']) && isDigest(value['sha256']);
}

function isModule(value: unknown): boolean {
  return isRecord(value) && typeof value['name'] === 'string' && isDigest(value['sha256']);
}

function isDigest(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/u.test(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
