import { base64url, chars, withCrc32 } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix ghp_ and its checksum', text: `ghp_${withCrc32(chars('base62', 30, 'ghp_'))}` },
    { why: 'with the prefix gho_ and its checksum', text: `gho_${withCrc32(chars('base62', 30, 'gho_'))}` },
    { why: 'with the prefix ghu_ and its checksum', text: `ghu_${withCrc32(chars('base62', 30, 'ghu_'))}` },
    { why: 'with the prefix ghs_ and its checksum', text: `ghs_${withCrc32(chars('base62', 30, 'ghs_'))}` },
    { why: 'with the prefix ghr_ and its checksum', text: `ghr_${withCrc32(chars('base62', 30, 'ghr_'))}` },
    { why: 'with the prefix github_pat_', text: `github_pat_${chars('base62', 22, '')}_${chars('base62', 59, '')}` },
    { why: 'with the prefix ghs_', text: `ghs_1234567_${base64url('{"alg":"RS256"}')}${chars('base62', 20, '')}.${chars('base62', 60, '')}.${chars('base62', 86, '')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `ghp_${'x'.repeat(`${withCrc32(chars('base62', 30, 'ghp_'))}`.length)}` },
    { why: 'it is cut short', text: `ghp_${withCrc32(chars('base62', 30, 'ghp_'))}`.slice(0, -30) },
    { why: 'a word goes on into it', text: `xghp_${withCrc32(chars('base62', 30, 'ghp_'))}` },
    { why: 'its checksum is another one', text: `ghp_${chars('base62', 36)}` },
  ],
};
