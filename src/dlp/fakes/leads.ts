/**
 * How well-known keys begin: public, the same in every key of its kind. Of two that fit, the longer one is meant.
 * Sources: the vendors' documents of their tokens, as the rules of the `keys` pack name them.
 */
export const knownLeads: readonly string[] = [
  'A3-', 'AGE-SECRET-KEY-1', 'AIza', 'AKIA', 'ASIA', 'EAAA', 'GOCSPX-', 'PMAK-', 'PuTTY-User-Key-File-2: ', 'PuTTY-User-Key-File-3: ', 'SG.', 'dapi',
  'doo_v1_', 'dop_v1_', 'dor_v1_', 'dp.ct.', 'dp.pt.', 'dp.st.', 'figd_', 'fw_', 'gho_', 'ghp_', 'ghr_', 'ghs_', 'ghu_', 'github_pat_', 'glc_', 'gldt-', 'glptt-', 'glpat-', 'glrt-',
  'glsa_', 'gsk_', 'hf_', 'hvb.', 'hvs.', 'key-', 'lin_api_', 'npm_', 'ntn_', 'ops_', 'pplx-', 'pscale_pw_', 'pscale_tkn_', 'pypi-', 'r8_', 'rk_live_', 'rk_test_', 'rubygems_',
  'shpat_', 'shpca_', 'shppa_', 'shpss_', 'sk-', 'sk-admin-', 'sk-ant-', 'sk-ant-admin01-', 'sk-ant-api03-', 'sk-ant-oat01-', 'sk-ant-sid01-', 'sk-or-v1-', 'sk-proj-',
  'sk-svcacct-', 'sk_live_', 'sk_test_', 'sntryu_', 'sntrys_', 'whsec_', 'xai-', 'xapp-', 'xoxa-', 'xoxb-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-',
];
