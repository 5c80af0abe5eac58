import type { OptionSpec } from '../../ask/command/option-spec.ts';
import { FLAG_FORMAT_NAMES, FORMATS } from '../../render/formats.ts';

/**
 * Returns the options for formats that write files or draw charts.
 * @param canDraw whether the command has charts
 */
export function listFormatOptions(canDraw: boolean): readonly OptionSpec[] {
  const offered = FLAG_FORMAT_NAMES.filter((name) => canDraw || FORMATS[name].flag?.showsCharts === false);
  return [
    ...offered.map((name): OptionSpec => {
      const { help, flag } = FORMATS[name];
      return {
        ...{ name, help },
        ...(flag?.extensionPattern == null ? {} : { value: 'file' }),
        ...(flag?.optional === true ? { optional: true } : {}),
      };
    }),
    ...(canDraw ? [NO_CHART_OPTION] : []),
  ];
}

const NO_CHART_OPTION: OptionSpec = {
  name: 'no-chart',
  help: 'Print only the table; on a terminal, "fin prices" otherwise shows a chart above it',
};
