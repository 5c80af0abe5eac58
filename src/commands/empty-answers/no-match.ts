/** Why no company passes a screen. */
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { count } from '../../output/wording.ts';
import { having, without } from '../pipeline/raw-parameters.ts';
import { filteredFigures } from '../questions/shared/screen-filters.ts';
import type { EmptyAnswer } from './empty-answer.ts';

export async function whyNoMatch({ parameters, answer, lookUp }: EmptyAnswer): Promise<string | null> {
  const filters = parameters.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const { universe, set_aside: setAside = 0 } = answer.meta;
  if (filters.length === 0 || universe === undefined) return null;
  if (setAside === universe) {
    const priced = filteredFigures(filters).filter((key) => PRICED_COLUMNS.has(key));
    const needsPrice = priced.length === 0 ? '' : ` A recent price is needed for: ${priced.join(', ')}`;
    return `No company has all the filtered figures.${needsPrice}`;
  }
  const none = `Of ${count(universe - setAside, 'company', 'companies')} with the filtered figures none passes`;
  if (filters.length === 1) return `${none} ${filters[0]}.`;
  const impossible: string[] = [];
  const cheapest = having(having(without(parameters, 'where', 'sort', 'columns'), 'columns', 'revenue'), 'limit', '1');
  for (const filter of filters) {
    const alone = await lookUp('screen', [...cheapest, ['where', filter]]);
    if (alone?.meta.total === 0) impossible.push(filter);
  }
  return `${none} all filters.${impossible.length === 0 ? '' : ` None passes even alone: ${impossible.join(', ')}`}`;
}
