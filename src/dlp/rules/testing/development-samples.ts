import { base64url, chars, withCrc32 } from './material.ts';
import type { Samples } from '../types.ts';

export const atlassianSamples: Samples = {
  found: [
    { why: 'with the prefix ATATT3xFfGF0', text: `ATATT3xFfGF0${chars('base64url', 171, '')}=ABCD1234` },
    { why: 'with the prefix ATCTT3xFfGN0', text: `ATCTT3xFfGN0${chars('base64url', 171, '')}=ABCD1234` },
  ],
  ignored: [
    { why: 'a placeholder', text: `ATATT3xFfGF0${'x'.repeat(`${chars('base64url', 171, '')}=ABCD1234`.length)}` },
    { why: 'it is cut short', text: `ATATT3xFfGF0${chars('base64url', 171, '')}=ABCD1234`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xATATT3xFfGF0${chars('base64url', 171, '')}=ABCD1234` },
  ],
};

export const samples: Samples = {
  found: [{ why: 'with the prefix bkua_', text: `bkua_${chars('hex', 40, 'bkua_')}` }],
  ignored: [
    { why: 'a placeholder', text: `bkua_${'x'.repeat(`${chars('hex', 40, 'bkua_')}`.length)}` },
    { why: 'it is cut short', text: `bkua_${chars('hex', 40, 'bkua_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xbkua_${chars('hex', 40, 'bkua_')}` },
  ],
};

export const circleciSamples: Samples = {
  found: [{ why: 'with the prefix CCIPAT_', text: `CCIPAT_${chars('base62', 22, '')}_${chars('hex', 40, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `CCIPAT_${'x'.repeat(`${chars('base62', 22, '')}_${chars('hex', 40, '')}`.length)}` },
    { why: 'it is cut short', text: `CCIPAT_${chars('base62', 22, '')}_${chars('hex', 40, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xCCIPAT_${chars('base62', 22, '')}_${chars('hex', 40, '')}` },
  ],
};

export const clojarsSamples: Samples = {
  found: [{ why: 'with the prefix CLOJARS_', text: `CLOJARS_${chars('hex', 60, 'CLOJARS_')}` }],
  ignored: [
    { why: 'a placeholder', text: `CLOJARS_${'x'.repeat(`${chars('hex', 60, 'CLOJARS_')}`.length)}` },
    { why: 'it is cut short', text: `CLOJARS_${chars('hex', 60, 'CLOJARS_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xCLOJARS_${chars('hex', 60, 'CLOJARS_')}` },
  ],
};

export const cratesSamples: Samples = {
  found: [{ why: 'with the prefix cio', text: `cio${chars('base62', 32, 'cio')}` }],
  ignored: [
    { why: 'a placeholder', text: `cio${'x'.repeat(`${chars('base62', 32, 'cio')}`.length)}` },
    { why: 'it is cut short', text: `cio${chars('base62', 32, 'cio')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xcio${chars('base62', 32, 'cio')}` },
  ],
};

export const dockerSamples: Samples = {
  found: [
    { why: 'with the prefix dckr_pat_', text: `dckr_pat_${chars('base64url', 27, 'dckr_pat_')}` },
    { why: 'with the prefix dckr_oat_', text: `dckr_oat_${chars('base64url', 32, 'dckr_oat_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `dckr_pat_${'x'.repeat(`${chars('base64url', 27, 'dckr_pat_')}`.length)}` },
    { why: 'it is cut short', text: `dckr_pat_${chars('base64url', 27, 'dckr_pat_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xdckr_pat_${chars('base64url', 27, 'dckr_pat_')}` },
  ],
};

export const dynatraceSamples: Samples = {
  found: [
    {
      why: 'with the prefix dt0c01.',
      text: `dt0c01.${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}`,
    },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `dt0c01.${'x'.repeat(`${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}`.length)}`,
    },
    {
      why: 'it is cut short',
      text: `dt0c01.${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}`.slice(0, -30),
    },
    {
      why: 'a word goes on into it',
      text: `xdt0c01.${chars('upper-base36', 24, '')}.${chars('upper-base36', 64, '')}`,
    },
  ],
};

export const githubSamples: Samples = {
  found: [
    { why: 'with the prefix ghp_ and its checksum', text: `ghp_${withCrc32(chars('base62', 30, 'ghp_'))}` },
    { why: 'with the prefix gho_ and its checksum', text: `gho_${withCrc32(chars('base62', 30, 'gho_'))}` },
    { why: 'with the prefix ghu_ and its checksum', text: `ghu_${withCrc32(chars('base62', 30, 'ghu_'))}` },
    { why: 'with the prefix ghs_ and its checksum', text: `ghs_${withCrc32(chars('base62', 30, 'ghs_'))}` },
    { why: 'with the prefix ghr_ and its checksum', text: `ghr_${withCrc32(chars('base62', 30, 'ghr_'))}` },
    { why: 'with the prefix github_pat_', text: `github_pat_${chars('base62', 22, '')}_${chars('base62', 59, '')}` },
    {
      why: 'with the prefix ghs_',
      text: `ghs_1234567_${base64url('{"alg":"RS256"}')}${chars('base62', 20, '')}.${chars('base62', 60, '')}.${chars('base62', 86, '')}`,
    },
  ],
  ignored: [
    { why: 'a placeholder', text: `ghp_${'x'.repeat(`${withCrc32(chars('base62', 30, 'ghp_'))}`.length)}` },
    { why: 'it is cut short', text: `ghp_${withCrc32(chars('base62', 30, 'ghp_'))}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xghp_${withCrc32(chars('base62', 30, 'ghp_'))}` },
    { why: 'its checksum is another one', text: `ghp_${chars('base62', 36)}` },
  ],
};

export const gitlabSamples: Samples = {
  found: [
    { why: 'with the prefix glpat-', text: `glpat-${chars('base62', 20, 'glpat-')}` },
    { why: 'with the prefix gldt-', text: `gldt-${chars('base62', 20, 'gldt-')}` },
    { why: 'with the prefix glrt-', text: `glrt-${chars('base62', 20, 'glrt-')}` },
    { why: 'with the prefix glcbt-', text: `glcbt-${chars('base62', 20, 'glcbt-')}` },
    { why: 'with the prefix glptt-', text: `glptt-${chars('base62', 20, 'glptt-')}` },
    { why: 'with the prefix glsoat-', text: `glsoat-${chars('base62', 20, 'glsoat-')}` },
    { why: 'with the prefix glft-', text: `glft-${chars('base62', 20, 'glft-')}` },
    { why: 'with the prefix glimt-', text: `glimt-${chars('base62', 20, 'glimt-')}` },
    { why: 'with the prefix glagent-', text: `glagent-${chars('base62', 50, 'glagent-')}` },
    { why: 'with the prefix gloas-', text: `gloas-${chars('base62', 20, 'gloas-')}` },
    { why: 'with the prefix glffct-', text: `glffct-${chars('base62', 20, 'glffct-')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `glpat-${'x'.repeat(`${chars('base62', 20, 'glpat-')}`.length)}` },
    { why: 'it is cut short', text: `glpat-${chars('base62', 20, 'glpat-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xglpat-${chars('base62', 20, 'glpat-')}` },
  ],
};

export const grafanaSamples: Samples = {
  found: [
    { why: 'with the prefix glsa_', text: `glsa_${chars('base62', 32, '')}_${chars('hex', 8, '')}` },
    { why: 'with the prefix glc_', text: `glc_eyJ${chars('base64', 117, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `glsa_${'x'.repeat(`${chars('base62', 32, '')}_${chars('hex', 8, '')}`.length)}` },
    { why: 'it is cut short', text: `glsa_${chars('base62', 32, '')}_${chars('hex', 8, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xglsa_${chars('base62', 32, '')}_${chars('hex', 8, '')}` },
  ],
};

export const linearSamples: Samples = {
  found: [
    { why: 'with the prefix lin_api_', text: `lin_api_${chars('base62', 40, 'lin_api_')}` },
    { why: 'with the prefix lin_oauth_', text: `lin_oauth_${chars('hex', 64, 'lin_oauth_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `lin_api_${'x'.repeat(`${chars('base62', 40, 'lin_api_')}`.length)}` },
    { why: 'it is cut short', text: `lin_api_${chars('base62', 40, 'lin_api_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xlin_api_${chars('base62', 40, 'lin_api_')}` },
  ],
};

export const newRelicSamples: Samples = {
  found: [{ why: 'with the prefix NRAK-', text: `NRAK-${chars('upper-base36', 27, 'NRAK-')}` }],
  ignored: [
    { why: 'a placeholder', text: `NRAK-${'x'.repeat(`${chars('upper-base36', 27, 'NRAK-')}`.length)}` },
    { why: 'it is cut short', text: `NRAK-${chars('upper-base36', 27, 'NRAK-')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xNRAK-${chars('upper-base36', 27, 'NRAK-')}` },
  ],
};

export const npmSamples: Samples = {
  found: [{ why: 'with the prefix npm_ and its checksum', text: `npm_${withCrc32(chars('base62', 30, 'npm_'))}` }],
  ignored: [
    { why: 'a placeholder', text: `npm_${'x'.repeat(`${withCrc32(chars('base62', 30, 'npm_'))}`.length)}` },
    { why: 'it is cut short', text: `npm_${withCrc32(chars('base62', 30, 'npm_'))}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xnpm_${withCrc32(chars('base62', 30, 'npm_'))}` },
    { why: 'its checksum is another one', text: `npm_${chars('base62', 36)}` },
  ],
};

export const posthogSamples: Samples = {
  found: [{ why: 'with the prefix phx_', text: `phx_${chars('base62', 47, 'phx_')}` }],
  ignored: [
    { why: 'a placeholder', text: `phx_${'x'.repeat(`${chars('base62', 47, 'phx_')}`.length)}` },
    { why: 'it is cut short', text: `phx_${chars('base62', 47, 'phx_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xphx_${chars('base62', 47, 'phx_')}` },
  ],
};

export const postmanSamples: Samples = {
  found: [{ why: 'with the prefix PMAK-', text: `PMAK-${chars('hex', 24, '')}-${chars('hex', 34, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `PMAK-${'x'.repeat(`${chars('hex', 24, '')}-${chars('hex', 34, '')}`.length)}` },
    { why: 'it is cut short', text: `PMAK-${chars('hex', 24, '')}-${chars('hex', 34, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xPMAK-${chars('hex', 24, '')}-${chars('hex', 34, '')}` },
  ],
};

export const pypiSamples: Samples = {
  found: [
    {
      why: 'with the prefix pypi-AgEIcHlwaS5vcmc',
      text: `pypi-AgEIcHlwaS5vcmc${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}`,
    },
    {
      why: 'with the prefix pypi-AgENdGVzdC5weXBpLm9yZw',
      text: `pypi-AgENdGVzdC5weXBpLm9yZw${chars('base64url', 150, 'pypi-AgENdGVzdC5weXBpLm9yZw')}`,
    },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `pypi-AgEIcHlwaS5vcmc${'x'.repeat(`${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}`.length)}`,
    },
    {
      why: 'it is cut short',
      text: `pypi-AgEIcHlwaS5vcmc${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}`.slice(0, 30),
    },
    { why: 'a word goes on into it', text: `xpypi-AgEIcHlwaS5vcmc${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}` },
  ],
};

export const rubygemsSamples: Samples = {
  found: [{ why: 'with the prefix rubygems_', text: `rubygems_${chars('hex', 48, 'rubygems_')}` }],
  ignored: [
    { why: 'a placeholder', text: `rubygems_${'x'.repeat(`${chars('hex', 48, 'rubygems_')}`.length)}` },
    { why: 'it is cut short', text: `rubygems_${chars('hex', 48, 'rubygems_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xrubygems_${chars('hex', 48, 'rubygems_')}` },
  ],
};

export const sentrySamples: Samples = {
  found: [
    { why: 'with the prefix sntrys_', text: `sntrys_eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}` },
    { why: 'with the prefix sntryu_', text: `sntryu_${chars('hex', 64, 'sntryu_')}` },
  ],
  ignored: [
    {
      why: 'a placeholder',
      text: `sntrys_${'x'.repeat(`eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}`.length)}`,
    },
    { why: 'it is cut short', text: `sntrys_eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsntrys_eyJ${chars('base64', 120, '')}_${chars('base64', 43, 'b')}` },
  ],
};

export const sonarSamples: Samples = {
  found: [
    { why: 'with the prefix squ_', text: `squ_${chars('hex', 40, 'squ_')}` },
    { why: 'with the prefix sqp_', text: `sqp_${chars('hex', 40, 'sqp_')}` },
    { why: 'with the prefix sqa_', text: `sqa_${chars('hex', 40, 'sqa_')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `squ_${'x'.repeat(`${chars('hex', 40, 'squ_')}`.length)}` },
    { why: 'it is cut short', text: `squ_${chars('hex', 40, 'squ_')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsqu_${chars('hex', 40, 'squ_')}` },
  ],
};

export const sourcegraphSamples: Samples = {
  found: [{ why: 'with the prefix sgp_', text: `sgp_${chars('hex', 16, '')}_${chars('hex', 40, '')}` }],
  ignored: [
    { why: 'a placeholder', text: `sgp_${'x'.repeat(`${chars('hex', 16, '')}_${chars('hex', 40, '')}`.length)}` },
    { why: 'it is cut short', text: `sgp_${chars('hex', 16, '')}_${chars('hex', 40, '')}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xsgp_${chars('hex', 16, '')}_${chars('hex', 40, '')}` },
  ],
};
