/** How esbuild bundles what node runs, as dist and in the single executable. */
export const BUNDLE_OPTIONS = {
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'cjs',
  minify: true,
  legalComments: 'none',
};
