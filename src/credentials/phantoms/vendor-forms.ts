/** What is known of a vendor's keys beyond what an example shows. */
export interface VendorForm {
  /** What every key of the kind begins with: it may be shown, because it says nothing of one key. */
  readonly prefix: string;
  readonly checksum?: 'github-crc32';
  /** A character that every key has at this place after the prefix. */
  readonly separator?: { readonly at: number; readonly character: string };
}

const withChecksum = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'npm_'] as const;

const plain = [
  'sk-ant-api03-', 'sk-ant-admin01-', 'sk-ant-oat01-', 'sk-ant-ort01-', 'sk-ant-',
  'sk-proj-', 'sk-svcacct-', 'sk-admin-', 'sk-or-v1-', 'sk-',
  'gsk_', 'xai-', 'pplx-', 'nvapi-', 'tgp_v1_', 'fw_', 'r8_', 'hf_', 'csk-', 'AIza', 'AQ.', 'ya29.', '1//', 'GOCSPX-',
  'glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glsoat-', 'gloas-', 'ATATT3xFfGF0', 'ATBB', 'ATCTT3xFfGN0',
  'pypi-AgEIcHlwaS5vcmc', 'pypi-AgENdGVzdC5weXBpLm9yZw', 'rubygems_', 'CLOJARS_', 'dckr_pat_', 'dckr_oat_',
  'AKIA', 'ASIA', 'ABSK', 'dop_v1_', 'doo_v1_', 'dor_v1_', 'dapi', 'hvs.', 'hvb.', 'dp.pt.', 'dp.st.', 'HRKU-', 'pul-', 'tskey-auth-', 'tskey-api-', 'sbp_', 'nfp_', 'pscale_pw_', 'pscale_tkn_', 'napi_',
  'xoxb-', 'xoxp-', 'xoxa-', 'xoxe-', 'xapp-', 'sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_', 'shpat_', 'shpss_', 'shpca_', 'sq0atp-', 'sq0csp-', 're_', 'key-', 'phc_', 'phx_',
  'lin_api_', 'lin_oauth_', 'ntn_', 'secret_', 'figd_', 'pat-na1-', 'pat-eu1-', 'PMAK-', 'NRAK-', 'glsa_', 'sntrys_', 'sntryu_', 'lsv2_pt_', 'lsv2_sk_',
] as const;

/** Prefixes as the vendors document them, or as gitleaks, which collects them, has them. */
export const vendorForms: readonly VendorForm[] = [
  ...withChecksum.map((prefix) => ({ prefix, checksum: 'github-crc32' }) as const),
  ...plain.map((prefix) => ({ prefix })),
  { prefix: 'github_pat_', separator: { at: 22, character: '_' } },
  { prefix: 'SG.', separator: { at: 22, character: '.' } },
];
