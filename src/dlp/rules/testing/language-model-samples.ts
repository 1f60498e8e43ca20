import { chars } from './material.ts';
import type { Samples } from '../types.ts';

export const anthropicSamples: Samples = {
  found: [{ why: 'with the prefix sk-ant-', text: `sk-ant-api03-${chars('base64url', 93, '')}AA` }],
  ignored: [
    { why: 'a placeholder', text: `sk-ant-${'x'.repeat(`api03-${chars('base64url', 93, '')}AA`.length)}` },
    { why: 'it is cut short', text: `sk-ant-api03-${chars('base64url', 93, '')}AA`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-ant-api03-${chars('base64url', 93, '')}AA` },
  ],
};

export const samples: Samples = {
  found: [{ why: 'with the prefix csk-', text: `csk-${chars('lower-base36', 48, 'csk-')}` }],
  ignored: [
    { why: 'a placeholder', text: `csk-${'x'.repeat(`${chars('lower-base36', 48, 'csk-')}`.length)}` },
    { why: 'it is cut short', text: `csk-${chars('lower-base36', 48, 'csk-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xcsk-${chars('lower-base36', 48, 'csk-')}` },
  ],
};

export const deepseekSamples: Samples = {
  found: [{ why: 'with the prefix sk-', text: `sk-${chars('hex', 32, 'sk-')}` }],
  ignored: [
    { why: 'a placeholder', text: `sk-${'x'.repeat(`${chars('hex', 32, 'sk-')}`.length)}` },
    { why: 'it is cut short', text: `sk-${chars('hex', 32, 'sk-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-${chars('hex', 32, 'sk-')}` },
  ],
};

export const elevenlabsSamples: Samples = {
  found: [{ why: 'with the prefix sk_', text: `sk_${chars('hex', 48, 'sk_')}` }],
  ignored: [
    { why: 'a placeholder', text: `sk_${'x'.repeat(`${chars('hex', 48, 'sk_')}`.length)}` },
    { why: 'it is cut short', text: `sk_${chars('hex', 48, 'sk_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk_${chars('hex', 48, 'sk_')}` },
  ],
};

export const groqSamples: Samples = {
  found: [{ why: 'with the prefix gsk_', text: `gsk_${chars('base62', 52, 'gsk_')}` }],
  ignored: [
    { why: 'a placeholder', text: `gsk_${'x'.repeat(`${chars('base62', 52, 'gsk_')}`.length)}` },
    { why: 'it is cut short', text: `gsk_${chars('base62', 52, 'gsk_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xgsk_${chars('base62', 52, 'gsk_')}` },
  ],
};

export const huggingFaceSamples: Samples = {
  found: [
    { why: 'with the prefix hf_', text: `hf_${chars('base62', 34, 'hf_')}` },
    { why: 'with the prefix api_org_', text: `api_org_${chars('letters', 34, 'api_org_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `hf_${'x'.repeat(`${chars('base62', 34, 'hf_')}`.length)}` },
    { why: 'it is cut short', text: `hf_${chars('base62', 34, 'hf_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xhf_${chars('base62', 34, 'hf_')}` },
  ],
};

export const langfuseSamples: Samples = {
  found: [
    {
      why: 'with the prefix sk-lf-',
      text: `sk-lf-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`,
    },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `sk-lf-${'x'.repeat(`${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.length)}`,
    },
    {
      why: 'it is cut short',
      text: `sk-lf-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`.slice(
        0,
        -30,
      ),
    },
    {
      why: 'a word goes on into it',
      text: `xsk-lf-${chars('hex', 8, '')}-${chars('hex', 4, '')}-${chars('hex', 4, 'b')}-${chars('hex', 4, 'c')}-${chars('hex', 12, '')}`,
    },
  ],
};

export const langsmithSamples: Samples = {
  found: [{ why: 'with the prefix lsv2_', text: `lsv2_pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `lsv2_${'x'.repeat(`pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}`.length)}` },
    { why: 'it is cut short', text: `lsv2_pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xlsv2_pt_${chars('hex', 32, '')}_${chars('hex', 10, '')}` },
  ],
};

export const nvidiaSamples: Samples = {
  found: [{ why: 'with the prefix nvapi-', text: `nvapi-${chars('base64url', 64, 'nvapi-')}` }],
  ignored: [
    { why: 'a placeholder', text: `nvapi-${'x'.repeat(`${chars('base64url', 64, 'nvapi-')}`.length)}` },
    { why: 'it is cut short', text: `nvapi-${chars('base64url', 64, 'nvapi-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnvapi-${chars('base64url', 64, 'nvapi-')}` },
  ],
};

export const openaiSamples: Samples = {
  found: [
    { why: 'with the prefix sk-', text: `sk-proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}` },
    { why: 'with the prefix sk-', text: `sk-${chars('base62', 20, '')}T3BlbkFJ${chars('base62', 20, 'b')}` },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `sk-${'x'.repeat(`proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}`.length)}`,
    },
    {
      why: 'it is cut short',
      text: `sk-proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}`.slice(0, 30),
    },
    { why: 'a word goes on into it', text: `xsk-proj-${chars('base62', 74, '')}T3BlbkFJ${chars('base62', 74, '')}` },
  ],
};

export const openrouterSamples: Samples = {
  found: [{ why: 'with the prefix sk-or-v1-', text: `sk-or-v1-${chars('hex', 64, 'sk-or-v1-')}` }],
  ignored: [
    { why: 'a placeholder', text: `sk-or-v1-${'x'.repeat(`${chars('hex', 64, 'sk-or-v1-')}`.length)}` },
    { why: 'it is cut short', text: `sk-or-v1-${chars('hex', 64, 'sk-or-v1-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsk-or-v1-${chars('hex', 64, 'sk-or-v1-')}` },
  ],
};

export const perplexitySamples: Samples = {
  found: [{ why: 'with the prefix pplx-', text: `pplx-${chars('base62', 48, 'pplx-')}` }],
  ignored: [
    { why: 'a placeholder', text: `pplx-${'x'.repeat(`${chars('base62', 48, 'pplx-')}`.length)}` },
    { why: 'it is cut short', text: `pplx-${chars('base62', 48, 'pplx-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xpplx-${chars('base62', 48, 'pplx-')}` },
  ],
};

export const replicateSamples: Samples = {
  found: [{ why: 'with the prefix r8_', text: `r8_${chars('base62', 37, 'r8_')}` }],
  ignored: [
    { why: 'a placeholder', text: `r8_${'x'.repeat(`${chars('base62', 37, 'r8_')}`.length)}` },
    { why: 'it is cut short', text: `r8_${chars('base62', 37, 'r8_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xr8_${chars('base62', 37, 'r8_')}` },
  ],
};

export const togetherSamples: Samples = {
  found: [{ why: 'with the prefix tgp_v1_', text: `tgp_v1_${chars('base64url', 43, 'tgp_v1_')}` }],
  ignored: [
    { why: 'a placeholder', text: `tgp_v1_${'x'.repeat(`${chars('base64url', 43, 'tgp_v1_')}`.length)}` },
    { why: 'it is cut short', text: `tgp_v1_${chars('base64url', 43, 'tgp_v1_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xtgp_v1_${chars('base64url', 43, 'tgp_v1_')}` },
  ],
};

export const xaiSamples: Samples = {
  found: [{ why: 'with the prefix xai-', text: `xai-${chars('base62', 80, 'xai-')}` }],
  ignored: [
    { why: 'a placeholder', text: `xai-${'x'.repeat(`${chars('base62', 80, 'xai-')}`.length)}` },
    { why: 'it is cut short', text: `xai-${chars('base62', 80, 'xai-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xxai-${chars('base62', 80, 'xai-')}` },
  ],
};
