/** The renderer of tables and charts for people. Loaded on demand. */
import type { Block } from '../../result/blocks.ts';
import { makeChartView, makeView, type Result } from '../../result/result.ts';
import { type PrintOptions, renderBlocks } from '../terminal/print-blocks.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

export function createTableRenderer(target: RenderTarget): Promise<Renderer> {
  const size = { width: target.width };
  // Charts are only for terminals; elsewhere, tables show the same values.
  return createRenderer(target, target.isTerminal && target.showsDefaultCharts, (result) => makeView(result, size));
}

export const createChartRenderer = (target: RenderTarget) => createRenderer(target, true, makeChartView);

async function createRenderer(target: RenderTarget, charts: boolean, makeBlocks: (result: Result) => readonly Block[]) {
  const { write, isTerminal: ruled, width, exact, header, colors } = target;
  const options: PrintOptions = {
    ...{ width, exact, header, charts, ruled, explainedScales: new Set() },
    ...(colors ? { paint: (await import('../terminal/paint.ts')).createPaint() } : {}),
  };
  let isFirst = true;
  return {
    answer: (result: Result) => {
      const text = renderBlocks(makeBlocks(result), options);
      if (text === '') return;
      write(isFirst ? text : `\n${text}`);
      isFirst = false;
    },
  };
}
