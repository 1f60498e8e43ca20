import { chars } from './material.ts';
import type { Samples } from '../types.ts';

export const awsSamples: Samples = {
  found: [
    { why: 'with the prefix AKIA', text: `AKIA${chars('base32', 16, 'AKIA')}` },
    { why: 'with the prefix ASIA', text: `ASIA${chars('base32', 16, 'ASIA')}` },
    { why: 'with the prefix ABIA', text: `ABIA${chars('base32', 16, 'ABIA')}` },
    { why: 'with the prefix ACCA', text: `ACCA${chars('base32', 16, 'ACCA')}` },
    { why: 'with the prefix ABSK', text: `ABSK${chars('base64', 128, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `AKIA${'x'.repeat(`${chars('base32', 16, 'AKIA')}`.length)}` },
    { why: 'it is cut short', text: `AKIA${chars('base32', 16, 'AKIA')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xAKIA${chars('base32', 16, 'AKIA')}` },
  ],
};

const secret = chars('base64', 40);

export const samples: Samples = {
  found: [
    { why: 'in a credentials file', before: 'aws_secret_access_key = ', text: secret },
    { why: 'in an environment', before: 'AWS_SECRET_ACCESS_KEY=', text: secret },
    { why: 'in an answer of STS', before: '"SecretAccessKey": "', text: secret, after: '"' },
    { why: 'in source code', before: "secretAccessKey: '", text: secret, after: "'" },
    { why: 'in XML', before: '<SecretAccessKey>', text: secret, after: '</SecretAccessKey>' },
  ],
  ignored: [
    { why: 'no name stands before it', text: secret },
    {
      why: 'of the documentation',
      before: 'aws_secret_access_key = ',
      text: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    { why: 'a hash', before: 'aws_secret_access_key = ', text: chars('hex', 40) },
    { why: 'a longer text', before: 'aws_secret_access_key = ', text: `${secret}abc` },
    {
      why: 'the name of another variable',
      before: 'secretAccessKey: ',
      text: 'process.env.AWS_SECRET_ACCESS_KEY_OF_TEST',
    },
  ],
};

export const azureClientSamples: Samples = {
  found: [
    { why: 'of 37 characters', text: `${chars('base62', 3)}8Q~${chars('base64url', 30)}a` },
    { why: 'of 40 characters', text: `${chars('base62', 3)}7Q~${chars('base64url', 33)}a` },
  ],
  ignored: [
    { why: 'a placeholder', text: `abc8Q~${'x'.repeat(31)}` },
    { why: 'it is cut short', text: `${chars('base62', 3)}8Q~${chars('base64url', 20)}a` },
    { why: 'nothing stands before it', text: `8Q~${chars('base64url', 31)}` },
  ],
};

export const azureStorageSamples: Samples = {
  found: [
    { why: 'with the prefix AccountKey=', text: `AccountKey=${chars('base64', 86, '')}==` },
    { why: 'with the prefix SharedAccessKey=', text: `SharedAccessKey=${chars('base64', 43, '')}=` },
  ],
  ignored: [
    { why: 'a placeholder', text: `AccountKey=${'x'.repeat(`${chars('base64', 86, '')}==`.length)}` },
    { why: 'it is cut short', text: `AccountKey=${chars('base64', 86, '')}==`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xAccountKey=${chars('base64', 86, '')}==` },
  ],
};

export const cloudflareSamples: Samples = {
  found: [
    { why: 'with the prefix cfk_', text: `cfk_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
    { why: 'with the prefix cfut_', text: `cfut_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
    { why: 'with the prefix cfat_', text: `cfat_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
    { why: 'with the prefix v1.0-', text: `v1.0-${chars('hex', 24, '')}-${chars('hex', 146, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `cfk_${'x'.repeat(`${chars('base62', 40, '')}${chars('hex', 8, '')}`.length)}` },
    { why: 'it is cut short', text: `cfk_${chars('base62', 40, '')}${chars('hex', 8, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xcfk_${chars('base62', 40, '')}${chars('hex', 8, '')}` },
  ],
};

export const databricksSamples: Samples = {
  found: [{ why: 'with the prefix dapi', text: `dapi${chars('hex', 32, '')}-2` }],
  ignored: [
    { why: 'a placeholder', text: `dapi${'x'.repeat(`${chars('hex', 32, '')}-2`.length)}` },
    { why: 'it is cut short', text: `dapi${chars('hex', 32, '')}-2`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdapi${chars('hex', 32, '')}-2` },
  ],
};

export const digitaloceanSamples: Samples = {
  found: [
    { why: 'with the prefix dop_v1_', text: `dop_v1_${chars('hex', 64, 'dop_v1_')}` },
    { why: 'with the prefix doo_v1_', text: `doo_v1_${chars('hex', 64, 'doo_v1_')}` },
    { why: 'with the prefix dor_v1_', text: `dor_v1_${chars('hex', 64, 'dor_v1_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dop_v1_${'x'.repeat(`${chars('hex', 64, 'dop_v1_')}`.length)}` },
    { why: 'it is cut short', text: `dop_v1_${chars('hex', 64, 'dop_v1_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdop_v1_${chars('hex', 64, 'dop_v1_')}` },
  ],
};

export const dopplerSamples: Samples = {
  found: [
    { why: 'with the prefix dp.', text: `dp.pt.${chars('base62', 43, '')}` },
    { why: 'with the prefix dp.st.', text: `dp.st.prd.${chars('base62', 40, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dp.${'x'.repeat(`pt.${chars('base62', 43, '')}`.length)}` },
    { why: 'it is cut short', text: `dp.pt.${chars('base62', 43, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdp.pt.${chars('base62', 43, '')}` },
  ],
};

export const flySamples: Samples = {
  found: [
    { why: 'with the prefix fm2_', text: `fm2_${chars('base64', 400, '')}` },
    { why: 'with the prefix fo1_', text: `fo1_${chars('base64url', 43, 'fo1_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `fm2_${'x'.repeat(`${chars('base64', 400, '')}`.length)}` },
    { why: 'it is cut short', text: `fm2_${chars('base64', 400, '')}`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xfm2_${chars('base64', 400, '')}` },
  ],
};

export const googleSamples: Samples = {
  found: [
    { why: 'with the prefix AIza', text: `AIza${chars('base64url', 35, 'AIza')}` },
    { why: 'with the prefix GOCSPX-', text: `GOCSPX-${chars('base64url', 28, 'GOCSPX-')}` },
    { why: 'with the prefix ya29.', text: `ya29.${chars('base64url', 160, '')}` },
    { why: 'with the prefix 1//', text: `1//0${chars('base64url', 100, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `AIza${'x'.repeat(`${chars('base64url', 35, 'AIza')}`.length)}` },
    { why: 'it is cut short', text: `AIza${chars('base64url', 35, 'AIza')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xAIza${chars('base64url', 35, 'AIza')}` },
  ],
};

export const herokuSamples: Samples = {
  found: [{ why: 'with the prefix HRKU-', text: `HRKU-AA${chars('base64url', 57, '')}x` }],
  ignored: [
    { why: 'a placeholder', text: `HRKU-${'x'.repeat(`AA${chars('base64url', 57, '')}x`.length)}` },
    { why: 'it is cut short', text: `HRKU-AA${chars('base64url', 57, '')}x`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xHRKU-AA${chars('base64url', 57, '')}x` },
  ],
};

export const neonSamples: Samples = {
  found: [{ why: 'with the prefix napi_', text: `napi_${chars('lower-base36', 64, 'napi_')}` }],
  ignored: [
    { why: 'a placeholder', text: `napi_${'x'.repeat(`${chars('lower-base36', 64, 'napi_')}`.length)}` },
    { why: 'it is cut short', text: `napi_${chars('lower-base36', 64, 'napi_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnapi_${chars('lower-base36', 64, 'napi_')}` },
  ],
};

export const netlifySamples: Samples = {
  found: [{ why: 'with the prefix nfp_', text: `nfp_${chars('base62', 36, 'nfp_')}` }],
  ignored: [
    { why: 'a placeholder', text: `nfp_${'x'.repeat(`${chars('base62', 36, 'nfp_')}`.length)}` },
    { why: 'it is cut short', text: `nfp_${chars('base62', 36, 'nfp_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnfp_${chars('base62', 36, 'nfp_')}` },
  ],
};

export const onePasswordSamples: Samples = {
  found: [
    { why: 'with the prefix ops_', text: `ops_eyJ${chars('base64', 300, '')}` },
    {
      why: 'with the prefix A3-',
      text: `A3-${chars('base32', 6, '')}-${chars('base32', 6, 'b')}-${chars('base32', 5, '')}-${chars('base32', 5, 'b')}-${chars('base32', 5, 'c')}-${chars('base32', 5, 'd')}`,
    },
  ],
  ignored: [
    { why: 'a placeholder', text: `ops_${'x'.repeat(`eyJ${chars('base64', 300, '')}`.length)}` },
    { why: 'it is cut short', text: `ops_eyJ${chars('base64', 300, '')}`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xops_eyJ${chars('base64', 300, '')}` },
  ],
};

export const planetscaleSamples: Samples = {
  found: [{ why: 'with the prefix pscale_', text: `pscale_pw_${chars('base62', 43, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `pscale_${'x'.repeat(`pw_${chars('base62', 43, '')}`.length)}` },
    { why: 'it is cut short', text: `pscale_pw_${chars('base62', 43, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpscale_pw_${chars('base62', 43, '')}` },
  ],
};

export const pulumiSamples: Samples = {
  found: [{ why: 'with the prefix pul-', text: `pul-${chars('hex', 40, 'pul-')}` }],
  ignored: [
    { why: 'a placeholder', text: `pul-${'x'.repeat(`${chars('hex', 40, 'pul-')}`.length)}` },
    { why: 'it is cut short', text: `pul-${chars('hex', 40, 'pul-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpul-${chars('hex', 40, 'pul-')}` },
  ],
};

export const supabaseSamples: Samples = {
  found: [
    { why: 'with the prefix sbp_', text: `sbp_${chars('hex', 40, 'sbp_')}` },
    { why: 'with the prefix sb_secret_', text: `sb_secret_${chars('base62', 22, '')}_${chars('base62', 8, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `sbp_${'x'.repeat(`${chars('hex', 40, 'sbp_')}`.length)}` },
    { why: 'it is cut short', text: `sbp_${chars('hex', 40, 'sbp_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsbp_${chars('hex', 40, 'sbp_')}` },
  ],
};

export const tailscaleSamples: Samples = {
  found: [{ why: 'with the prefix tskey-', text: `tskey-auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}` }],
  ignored: [
    {
      why: 'a placeholder',
      text: `tskey-${'x'.repeat(`auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}`.length)}`,
    },
    { why: 'it is cut short', text: `tskey-auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xtskey-auth-${chars('base62', 17, '')}-${chars('base62', 32, '')}` },
  ],
};

export const vaultSamples: Samples = {
  found: [
    { why: 'with the prefix hvs.', text: `hvs.${chars('base64url', 90, 'hvs.')}` },
    { why: 'with the prefix hvb.', text: `hvb.${chars('base64url', 138, 'hvb.')}` },
    { why: 'with the prefix hvr.', text: `hvr.${chars('base64url', 90, 'hvr.')}` },
    { why: 'with the prefix hvs.', text: `hvs.${chars('base62', 24, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `hvs.${'x'.repeat(`${chars('base64url', 90, 'hvs.')}`.length)}` },
    { why: 'it is cut short', text: `hvs.${chars('base64url', 90, 'hvs.')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xhvs.${chars('base64url', 90, 'hvs.')}` },
  ],
};

export const vercelSamples: Samples = {
  found: [
    { why: 'with the prefix vcp_', text: `vcp_${chars('base62', 24, 'vcp_')}` },
    { why: 'with the prefix vci_', text: `vci_${chars('base62', 24, 'vci_')}` },
    { why: 'with the prefix vca_', text: `vca_${chars('base62', 24, 'vca_')}` },
    { why: 'with the prefix vcr_', text: `vcr_${chars('base62', 24, 'vcr_')}` },
    { why: 'with the prefix vck_', text: `vck_${chars('base62', 24, 'vck_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `vcp_${'x'.repeat(`${chars('base62', 24, 'vcp_')}`.length)}` },
    { why: 'it is cut short', text: `vcp_${chars('base62', 24, 'vcp_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xvcp_${chars('base62', 24, 'vcp_')}` },
  ],
};
