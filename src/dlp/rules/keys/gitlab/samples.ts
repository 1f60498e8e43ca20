import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
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
