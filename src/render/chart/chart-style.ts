/**
 * Styles of SVG documents and HTML pages, light and dark. Colours are repeated because some SVG viewers do not support
 * CSS variables. Contrast is at least 4.5 to 1 for text, and 3 to 1 for lines and bars.
 */

export const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

/** The colours of `series` are distinguishable with any colour vision; chart-style.test.ts verifies that. */
export const LIGHT_COLOURS = {
  paper: '#ffffff',
  ink: '#1f2328',
  quiet: '#59636e',
  grid: '#d8dee4',
  gain: '#0969da',
  loss: '#cf222e',
  mark: '#9a6700',
  series: ['#0969da', '#e8590c', '#24292f', '#aa3377', '#a0785a', '#661100'],
};
export const DARK_COLOURS: typeof LIGHT_COLOURS = {
  paper: '#0d1117',
  ink: '#e6edf3',
  quiet: '#9198a1',
  grid: '#30363d',
  gain: '#4493f8',
  loss: '#f85149',
  mark: '#d29922',
  series: ['#4493f8', '#f0c040', '#e6edf3', '#cc79a7', '#56d4a0', '#cc4455'],
};

const formatColourRules = ({ paper, ink, quiet, grid, gain, loss, mark, series }: typeof LIGHT_COLOURS): string =>
  [
    `.fin-paper{fill:${paper}}`,
    `.fin-ink{fill:${ink}}`,
    `.fin-quiet{fill:${quiet}}`,
    `.fin-grid{stroke:${grid}}`,
    `.fin-axis{stroke:${quiet}}`,
    `.fin-line{stroke:${gain};fill:none}`,
    `.fin-gain{fill:${gain}}`,
    `.fin-loss{fill:${loss}}`,
    `.fin-mark{stroke:${mark}}`,
    `.fin-mark-text{fill:${mark}}`,
    ...series.map((colour, index) => `.fin-series-${index}{fill:${colour};stroke:${paper}}`),
  ].join('');

/** Maximum number of series, because each needs a colour of its own. */
export const SERIES_COLOUR_COUNT = LIGHT_COLOURS.series.length;

/** Styles of charts, for SVG documents and HTML pages. */
export const CHART_STYLE = `${formatColourRules(LIGHT_COLOURS)}@media (prefers-color-scheme:dark){${formatColourRules(DARK_COLOURS)}}`;

const formatPageColourRules = ({ paper, ink, quiet, grid, gain }: typeof LIGHT_COLOURS): string =>
  `body{background:${paper};color:${ink}}th,dt,.quiet,summary{color:${quiet}}th,td{border-color:${grid}}a{color:${gain}}`;

/** Styles of the HTML page around the charts. */
export const PAGE_STYLE = [
  `body{font:16px/1.5 ${FONT_FAMILY};margin:0 auto;padding:1.5rem 1rem;max-width:52rem}`,
  'h1,h2{font-size:1.25rem;line-height:1.3;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.5rem 0 .25rem}',
  // A chart scrolls sideways on a narrow screen, because it would be unreadable if it shrank.
  'figure{margin:0;overflow-x:auto}svg{display:block;width:100%;min-width:36rem;height:auto}',
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin:.5rem 0}dd{margin:0}',
  '.values{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.875rem}',
  'caption{text-align:left}th,td{padding:.2rem .75rem .2rem 0;text-align:right;border-bottom:1px solid}',
  'th:first-child{text-align:left}.quiet{font-size:.8125rem;overflow-wrap:anywhere}',
  formatPageColourRules(LIGHT_COLOURS),
  `@media (prefers-color-scheme:dark){${formatPageColourRules(DARK_COLOURS)}}`,
].join('');
