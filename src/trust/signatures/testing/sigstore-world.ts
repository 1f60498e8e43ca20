import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { initializeCA, initializeCTLog, initializeTLog } from '@sigstore/mock';

/** A test Sigstore: its authority, its logs, and their trust root. */
export interface SigstoreWorld {
  readonly trustedRoot: string;
  /** The bundle of a signature, as `cosign sign-blob --bundle` writes it. */
  sign(content: Buffer, by: { readonly identity: string; readonly issuer: string }): Promise<Buffer>;
}

export async function sigstoreWorld(): Promise<SigstoreWorld> {
  const [caKeys, ctKeys, logKeys] = [p256(), p256(), p256()];
  const ctLog = await initializeCTLog(ctKeys);
  const ca = await initializeCA(caKeys, ctLog);
  const log = await initializeTLog('https://rekor.example', logKeys);
  const since = { start: new Date(Date.now() - 3_600_000).toISOString() };
  const logOf = (url: string, key: Buffer, id: Buffer): unknown => ({
    baseUrl: url,
    hashAlgorithm: 'SHA2_256',
    publicKey: { rawBytes: base64(key), keyDetails: 'PKIX_ECDSA_P256_SHA_256', validFor: since },
    logId: { keyId: base64(id) },
  });
  return {
    trustedRoot: JSON.stringify({
      mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
      tlogs: [logOf('https://rekor.example', log.publicKey, sha256(log.publicKey))],
      certificateAuthorities: [
        {
          subject: { organization: 'example', commonName: 'example' },
          uri: 'https://fulcio.example',
          certChain: { certificates: [{ rawBytes: base64(bytesOf(ca.rootCertificate)) }] },
          validFor: since,
        },
      ],
      ctlogs: [logOf('https://ctlog.example', ctLog.publicKey, bytesOf(ctLog.logID))],
      timestampAuthorities: [],
    }),
    async sign(content, { identity, issuer }) {
      const { publicKey, privateKey } = p256();
      const extensions = [
        { oid: '1.3.6.1.4.1.57264.1.1', value: issuer, legacy: true },
        { oid: '1.3.6.1.4.1.57264.1.8', value: issuer },
      ];
      const certificate = bytesOf(
        await ca.issueCertificate({
          publicKey: publicKey.export({ format: 'der', type: 'spki' }),
          subjectAltName: identity,
          extensions,
        }),
      );
      const signature = sign('sha256', content, privateKey);
      const pem = `-----BEGIN CERTIFICATE-----\n${
        base64(certificate)
          .match(/.{1,64}/gu)
          ?.join('\n') ?? ''
      }\n-----END CERTIFICATE-----\n`;
      const [entry] = Object.values(
        await log.log({
          apiVersion: '0.0.1',
          kind: 'hashedrekord',
          spec: {
            data: { hash: { algorithm: 'sha256', value: sha256(content).toString('hex') } },
            signature: { content: base64(signature), publicKey: { content: base64(Buffer.from(pem)) } },
          },
        }),
      );
      const { body, integratedTime, logID, logIndex, verification } = entry as unknown as LogEntry;
      return Buffer.from(
        JSON.stringify({
          mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
          verificationMaterial: {
            x509CertificateChain: { certificates: [{ rawBytes: base64(certificate) }] },
            tlogEntries: [
              {
                logIndex: String(logIndex),
                logId: { keyId: base64(Buffer.from(logID, 'hex')) },
                kindVersion: { kind: 'hashedrekord', version: '0.0.1' },
                integratedTime: String(integratedTime),
                inclusionPromise: { signedEntryTimestamp: verification.signedEntryTimestamp },
                canonicalizedBody: body,
              },
            ],
          },
          messageSignature: {
            messageDigest: { algorithm: 'SHA2_256', digest: base64(sha256(content)) },
            signature: base64(signature),
          },
        }),
      );
    },
  };
}

interface LogEntry {
  readonly body: string;
  readonly integratedTime: number;
  readonly logID: string;
  readonly logIndex: number;
  readonly verification: { readonly signedEntryTimestamp: string };
}

function p256(): ReturnType<typeof generateKeyPairSync> {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
