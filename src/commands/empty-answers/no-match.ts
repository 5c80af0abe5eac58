/** Why no company passes a screen. */
import { PRICED_COLUMNS } from '../../contract/screen-columns.ts';
import { count } from '../pipeline/notices.ts';
import { having, without } from '../pipeline/raw-parameters.ts';
import type { EmptyAnswer } from './why-empty.ts';

export async function whyNoMatch({ parameters: given, answer, lookUp: look }: EmptyAnswer): Promise<string | null> {
  const clauses = given.flatMap(([name, text]) => (name === 'where' ? [text] : []));
  const { universe, set_aside: aside = 0 } = answer.meta;
  if (clauses.length === 0 || universe === undefined) return null;
  const figures = clauses.map((clause) => clause.split(':')[0] ?? '');
  if (aside === universe) {
    const priced = figures.filter((figure) => PRICED_COLUMNS.has(figure));
    return priced.length === 0
      ? 'No company has all the filtered figures.'
      : `No company has all the filtered figures; ${priced.join(', ')} cannot be reckoned without a price of late.`;
  }
  const passed = `Of ${count(universe - aside, 'company', 'companies')} with the filtered figures none passes`;
  if (clauses.length === 1) return `${passed} ${clauses[0]}.`;
  const alone: string[] = [];
  for (const clause of clauses) {
    const asked = having(having(without(given, 'where', 'sort', 'columns'), 'columns', 'revenue'), 'limit', '1');
    const others = await look('screen', [...asked, ['where', clause]]);
    if (others !== null && others.meta.total === 0) alone.push(clause);
  }
  return `${passed} all filters${alone.length === 0 ? '' : `; even alone none passes ${alone.join(', ')}`}.`;
}
