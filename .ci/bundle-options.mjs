/** esbuild options that the bundles in dist and the single executable share. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
};
