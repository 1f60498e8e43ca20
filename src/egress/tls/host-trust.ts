import { readFileSync, realpathSync, statSync } from 'node:fs';
import process from 'node:process';
import { holdsCertificate } from './pem.ts';
import { type TrustPlace, trustPlaces } from './trust-places.ts';

/** A trust file of the host. */
export interface HostTrustFile extends TrustPlace {
  /** Where `path` leads when links are followed: the file to mount over. */
  readonly target: string;
  /** Empty for `java`: what stands there is replaced as a whole. */
  readonly content: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Bundles have 220 KB; nothing sensible is larger than this. */
const largestFile = 8 * 1024 * 1024;

/** The trust files of this host, each target once, in the order of `trustPlaces`. Reads the file system. */
export function hostTrustFiles(places: readonly TrustPlace[] = trustPlaces): readonly HostTrustFile[] {
  const seen = new Set<string>();
  return places.flatMap((place) => {
    const target = fileBehind(place.path);
    if (target === undefined || seen.has(target)) return [];
    const content = place.format === 'java' ? '' : readText(target);
    if (content === undefined) return [];
    seen.add(target);
    return [{ ...place, target, content }];
  });
}

/**
 * Whom Holdfast itself believes when it talks to servers, PEM: the distribution's first bundle that holds a
 * certificate, Node's roots, and the files that the host's environment names for companies' own authorities.
 */
export function hostRoots(
  environment: Environment,
  files: readonly HostTrustFile[] = hostTrustFiles(),
): readonly string[] {
  const bundle = files.find(({ format, content }) => format === 'pem' && holdsCertificate(content));
  const named = [environment['NODE_EXTRA_CA_CERTS'], environment['SSL_CERT_FILE']].flatMap((path) =>
    path === undefined || path === '' ? [] : [readText(path) ?? ''],
  );
  // Loaded here: whoever only adds to the host's files never needs it, and it takes milliseconds.
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  return [bundle?.content ?? '', rootCertificates.join('\n'), ...named].filter((pem) => pem !== '');
}

function fileBehind(path: string): string | undefined {
  try {
    const target = realpathSync(path);
    return statSync(target).isFile() ? target : undefined;
  } catch {
    return undefined;
  }
}

/** A file that is missing, unreadable or absurd counts as none: a host without a bundle is a host with Node's roots. */
function readText(path: string): string | undefined {
  try {
    const { size } = statSync(path);
    return size > largestFile ? undefined : readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
