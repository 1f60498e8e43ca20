import { chars } from '../../testing/material.ts';
import type { Samples } from '../../types.ts';

export const samples: Samples = {
  found: [
    { why: 'with the prefix pypi-AgEIcHlwaS5vcmc', text: `pypi-AgEIcHlwaS5vcmc${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}` },
    { why: 'with the prefix pypi-AgENdGVzdC5weXBpLm9yZw', text: `pypi-AgENdGVzdC5weXBpLm9yZw${chars('base64url', 150, 'pypi-AgENdGVzdC5weXBpLm9yZw')}` },
  ],
  ignored: [
    { why: 'a placeholder', text: `pypi-AgEIcHlwaS5vcmc${'x'.repeat(`${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}`.length)}` },
    { why: 'it is cut short', text: `pypi-AgEIcHlwaS5vcmc${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}`.slice(0, 30) },
    { why: 'a word goes on into it', text: `xpypi-AgEIcHlwaS5vcmc${chars('base64url', 150, 'pypi-AgEIcHlwaS5vcmc')}` },
  ],
};
