/** esbuild options for all code that node runs, in dist and in the single executable. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
};
